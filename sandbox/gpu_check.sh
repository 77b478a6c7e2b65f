#!/bin/sh
# On a host with an NVIDIA GPU: does a container see it, as reproduce.sh would?
#     sh sandbox/gpu_check.sh [DEVICE [IMAGE]]       (DEVICE: 0, or an id that nvidia-smi -L shows)
# Each line is one step; the first that fails says what to do, and the exit code is 1.
set -eu

device=${1:-0}
image=${2:-rubric-engine/cuda:1}

step() {
  what=$1 mend=$2
  shift 2
  if out=$("$@" 2>&1); then
    echo "ok    $what"
  else
    printf 'fail  %s   fix: %s\n%s\n' "$what" "$mend" "$out" >&2
    exit 1
  fi
}

# As a run has it: this one device, no network, no capabilities, shared memory for data loaders.
inside() {
  docker run --rm --gpus "\"device=$device\"" --network none --cap-drop ALL --shm-size 1g \
    --security-opt no-new-privileges --read-only --tmpfs /tmp --user 1000:1000 --env HOME=/tmp "$image" "$@"
}

runtime() {
  docker info --format '{{json .Runtimes}}' | grep -q nvidia
}

alone() {
  test "$(inside nvidia-smi -L | wc -l)" -eq 1
}

step "the driver answers" "install the NVIDIA driver, then reboot" nvidia-smi -L
step "the engine answers" "sudo systemctl start docker" docker version
step "the engine has the NVIDIA runtime" \
  "install nvidia-container-toolkit; sudo nvidia-ctk runtime configure --runtime=docker; sudo systemctl restart docker" runtime
step "the image $image is there" "rubric-engine sandbox build cuda" docker image inspect "$image"
step "a container sees device $device and no other" "sh sandbox/gpu_check.sh DEVICE, one of nvidia-smi -L" alone
step "PyTorch computes on it" "a driver that is new enough for CUDA 12.6 (560 or later)" inside python -c '
import torch
a = torch.ones(256, 256, device="cuda")
assert (a @ a).sum().item() == 256.0**3
print(torch.version.cuda, torch.cuda.get_device_name(0))'
step "a data loader has shared memory" "Limits.shm of at least 1 GiB" inside python -c '
import torch
from torch.utils.data import DataLoader
assert sum(len(b) for b in DataLoader(torch.zeros(64, 3, 224, 224), batch_size=8, num_workers=2)) == 64'
