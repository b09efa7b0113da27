# syntax=docker/dockerfile:1

# Equipoise with what GPUs need beside their driver. Build it, and list the devices that it finds:
#
#   docker build -t equipoise .
#   docker run --rm --gpus all equipoise devices
#
# NVIDIA's driver (CUDA 12.9 or newer) comes from the host, through its container toolkit: `--gpus all`. GPUs of AMD
# and Intel are `--device /dev/dri`. Files of the current folder, and compiled kernels that are kept for the next run:
#
#   docker run --rm --gpus all --user "$(id -u):$(id -g)" -v "$PWD:/data" -v equipoise-cache:/cache \
#       equipoise bfs roads.gr.gz -o levels.tsv
#
# `docker build --target vulkan` leaves out CUDA's compiler, of over 110 MB.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/source/target \
    cargo build --locked --profile dist --package equipoise-cli \
    && cp target/dist/equipoise /usr/local/bin/equipoise

# The compiler and the headers of CUDA with which the kernels are tested: see crates/xtask/src/nvrtc.rs.
FROM python:3.13-slim-bookworm AS nvrtc
RUN pip install --no-cache-dir --no-deps --only-binary :all: --target /wheels \
    nvidia-cuda-nvrtc-cu12==12.9.86 nvidia-cuda-runtime-cu12==12.9.79

FROM debian:bookworm-slim AS vulkan
# Mesa has the drivers of AMD and Intel. It also has a GPU in software, which is run on only when it is asked for.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libvulkan1 mesa-vulkan-drivers \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/equipoise /usr/local/bin/equipoise
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/equipoise/
# Anyone may keep compiled kernels there: with `--user`, that is not root.
RUN mkdir --mode=1777 /cache /data
ENV EQUIPOISE_CACHE=/cache
WORKDIR /data
ENTRYPOINT ["equipoise"]

FROM vulkan AS cuda
COPY --from=nvrtc /wheels/nvidia/cuda_nvrtc/lib/libnvrtc.so.12 /wheels/nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9 /opt/cuda/lib/
COPY --from=nvrtc /wheels/nvidia/cuda_runtime/include /opt/cuda/include
RUN echo /opt/cuda/lib > /etc/ld.so.conf.d/cuda.conf && ldconfig
# The program looks for headers in CUDA_PATH/include; the others are for NVIDIA's container toolkit.
ENV CUDA_PATH=/opt/cuda \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,graphics,utility
