BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
INSERT INTO "alembic_version" VALUES('e43177bfe90b');
CREATE TABLE assignment (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	duedate DATETIME, 
	course_id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name), 
	FOREIGN KEY(course_id) REFERENCES course (id)
);
INSERT INTO "assignment" VALUES('7cf2932b3fb1427cacefe9e6e63f6aca','00_start_here','2026-03-01 12:00:00.000000','attention');
CREATE TABLE base_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	notebook_id VARCHAR(32) NOT NULL, 
	type VARCHAR(50), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id, type), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "base_cell" VALUES('6803fd0b5fa34ffda494cb25aa3bf8e7','test_row_sums','acade32c90ec4372871f18b2ea8d8772','GradeCell');
INSERT INTO "base_cell" VALUES('04a148891545432ea42233f769e9df40','row_sums','acade32c90ec4372871f18b2ea8d8772','SolutionCell');
CREATE TABLE comment (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_comment TEXT, 
	manual_comment TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "comment" VALUES('1fefb32e48d548b59d5f520eed70ad90','bf7891970a664917806128db43b9eff5','04a148891545432ea42233f769e9df40',NULL,NULL);
INSERT INTO "comment" VALUES('e21ce24681b64ee5a6eef33514474827','d69d1e4f5a24419a887979a7a306c3f4','04a148891545432ea42233f769e9df40','No response.',NULL);
INSERT INTO "comment" VALUES('c89cfa97388b4cb28485dc2d266aac3a','118ae7f6b23248adb5599e35863b2ede','04a148891545432ea42233f769e9df40',NULL,NULL);
CREATE TABLE course (
	id VARCHAR(128) NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (id)
);
INSERT INTO "course" VALUES('attention');
INSERT INTO "course" VALUES('default_course');
CREATE TABLE grade (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_score FLOAT, 
	manual_score FLOAT, 
	extra_credit FLOAT, 
	needs_manual_grade BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES base_cell (id)
);
INSERT INTO "grade" VALUES('90bb5c82ce014bedba5da3e9999488c6','bf7891970a664917806128db43b9eff5','6803fd0b5fa34ffda494cb25aa3bf8e7',1.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('f3a86f6323c84ac69b39086f09c503ad','d69d1e4f5a24419a887979a7a306c3f4','6803fd0b5fa34ffda494cb25aa3bf8e7',0.0,0.5,NULL,0);
INSERT INTO "grade" VALUES('cd66806e308646f9b8320eb0d122b86e','118ae7f6b23248adb5599e35863b2ede','6803fd0b5fa34ffda494cb25aa3bf8e7',NULL,NULL,NULL,1);
CREATE TABLE grade_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "grade_cells" VALUES('6803fd0b5fa34ffda494cb25aa3bf8e7',1.0,'code');
CREATE TABLE notebook (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	assignment_id VARCHAR(32), 
	kernelspec VARCHAR(1024), 
	PRIMARY KEY (id), 
	UNIQUE (name, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
INSERT INTO "notebook" VALUES('acade32c90ec4372871f18b2ea8d8772','00_start_here','7cf2932b3fb1427cacefe9e6e63f6aca','{"display_name": "Python 3", "language": "python", "name": "python3"}');
CREATE TABLE solution_cells (
	id VARCHAR(32) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
INSERT INTO "solution_cells" VALUES('04a148891545432ea42233f769e9df40');
CREATE TABLE source_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	locked BOOLEAN NOT NULL, 
	source TEXT, 
	checksum VARCHAR(128), 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "source_cell" VALUES('cefda8628bde4876afdf08ed1e170017','row_sums','code',0,'def row_sums(x):
    """The sum of each row of a table.

    x:       (T_q, T_k)   one row for each query
    returns  (T_q,)       one sum for each row
    """
    raise NotImplementedError("Not written yet: put your code here.")','65ff89e7cf2f83500024a297f6599cf1','acade32c90ec4372871f18b2ea8d8772');
INSERT INTO "source_cell" VALUES('d3f85f3aa4494a72a627c939b5a2770f','test_row_sums','code',1,'check("row_sums", row_sums).points
### BEGIN HIDDEN TESTS
from autograder import grade
grade("row_sums", row_sums).points
### END HIDDEN TESTS','926335d6b992d42d2ea6bc85d24d7dcf','acade32c90ec4372871f18b2ea8d8772');
CREATE TABLE student (
	id VARCHAR(128) NOT NULL, 
	first_name VARCHAR(128), 
	last_name VARCHAR(128), 
	email VARCHAR(128), 
	lms_user_id VARCHAR(128), 
	PRIMARY KEY (id)
);
INSERT INTO "student" VALUES('ada','Ada','Lovelace',NULL,NULL);
INSERT INTO "student" VALUES('ben',NULL,NULL,NULL,NULL);
INSERT INTO "student" VALUES('eve',NULL,NULL,NULL,NULL);
CREATE TABLE submitted_assignment (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	student_id VARCHAR(128), 
	timestamp DATETIME, 
	extension DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (assignment_id, student_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id), 
	FOREIGN KEY(student_id) REFERENCES student (id)
);
INSERT INTO "submitted_assignment" VALUES('9111f49a957c433ba56a3cf2e2492db3','7cf2932b3fb1427cacefe9e6e63f6aca','ada',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('ecfc276689cc4fbd9306326756770c3b','7cf2932b3fb1427cacefe9e6e63f6aca','ben',NULL,NULL);
INSERT INTO "submitted_assignment" VALUES('2b28151128394fee952bc8d51c0b0cd3','7cf2932b3fb1427cacefe9e6e63f6aca','eve',NULL,NULL);
CREATE TABLE submitted_notebook (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	notebook_id VARCHAR(32), 
	flagged BOOLEAN, 
	late_submission_penalty FLOAT, 
	PRIMARY KEY (id), 
	UNIQUE (notebook_id, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES submitted_assignment (id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "submitted_notebook" VALUES('bf7891970a664917806128db43b9eff5','9111f49a957c433ba56a3cf2e2492db3','acade32c90ec4372871f18b2ea8d8772',0,NULL);
INSERT INTO "submitted_notebook" VALUES('d69d1e4f5a24419a887979a7a306c3f4','ecfc276689cc4fbd9306326756770c3b','acade32c90ec4372871f18b2ea8d8772',0,NULL);
INSERT INTO "submitted_notebook" VALUES('118ae7f6b23248adb5599e35863b2ede','2b28151128394fee952bc8d51c0b0cd3','acade32c90ec4372871f18b2ea8d8772',0,NULL);
CREATE TABLE task_cells (
	id VARCHAR(32) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(id) REFERENCES base_cell (id)
);
COMMIT;
