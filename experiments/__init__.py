"""What a lesson states and has no time to show: each script writes its figures beside itself, as JSON.

minutes.json: four readers' estimates for each section of 00 to 04, before some moved to the long way.
"""
