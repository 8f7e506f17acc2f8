"""Runs an ONNX model of the form legal or policy on the positions of a folder: answers.py FOLDER MODEL OUTPUT

`positions.json` has the shapes; `observation.f32` and `legal.i32` the inputs. OUTPUT gets the logits of the legal actions
and the outcomes, float32, one after the other.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnxruntime

folder, model, output = sys.argv[1:]
shapes = json.loads(Path(folder, "positions.json").read_text())
observation = np.fromfile(Path(folder, "observation.f32"), "<f4").reshape(shapes["observation"])
legal = np.fromfile(Path(folder, "legal.i32"), "<i4").reshape(shapes["legal"])
session = onnxruntime.InferenceSession(model)
if len(session.get_inputs()) == 2:
    logits, outcome = session.run(["legalLogits", "outcome"], {"observation": observation, "legal": legal})
else:
    policy, outcome = session.run(["policy", "outcome"], {"observation": observation})
    logits = np.take_along_axis(policy, legal, axis=1)
np.concatenate([logits.ravel(), outcome.ravel()]).astype("<f4").tofile(output)
