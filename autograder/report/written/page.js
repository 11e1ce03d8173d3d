"use strict";
// Reads points and comments from the page's fields and saves them as a file; nothing leaves the page.
const answers = [...document.querySelectorAll("[data-student]")];
const points = answer => answer.querySelector("input");
const comment = answer => answer.querySelector("textarea");
const isGiven = answer => points(answer).value.trim() !== "";
let saved = true;

function count() {
  const wrong = answers.filter(answer => !points(answer).checkValidity());
  const given = answers.filter(isGiven).length;
  document.querySelector("#done").textContent =
    `${given} of ${answers.length} have points` + (wrong.length ? `, ${wrong.length} not within the bounds` : "");
  document.querySelector("#save").disabled = wrong.length > 0 || given === 0;
}

function record(answer) {
  const { lesson, gradeId, student, submission } = answer.dataset;
  return { lesson, grade_id: gradeId, student, submission, points: Number(points(answer).value), comment: comment(answer).value };
}

function save() {
  const text = JSON.stringify({ written_answers: answers.filter(isGiven).map(record) }, null, 1) + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "scores.json";
  link.click();
  saved = true;
}

document.addEventListener("input", () => { saved = false; count(); });
document.querySelector("#save").addEventListener("click", save);
window.addEventListener("beforeunload", event => { if (!saved) event.preventDefault(); });
count();
