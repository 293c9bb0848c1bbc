# Writes peer.json: what TensorBoard's own inspector says of the real files in
# shared/dump/testdata. Run from this directory with TensorBoard installed.
import contextlib, io, json, os
from tensorboard.backend.event_processing import event_file_inspector as inspector

root = "../../dump/testdata"
facts = {}
with contextlib.redirect_stdout(io.StringIO()):
    units = inspector.get_inspection_units(root)
for unit in units:
    kinds = {k: v for k, v in inspector.get_dict_to_print(unit.field_to_obs).items() if v}
    tags = {k: v for k, v in inspector.get_unique_tags(unit.field_to_obs).items() if v}
    facts[os.path.relpath(unit.name, root)] = {"kinds": kinds, "tagsByKind": tags}
json.dump(facts, open("peer.json", "w"), indent=1, sort_keys=True)
