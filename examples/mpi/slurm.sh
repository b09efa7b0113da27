#!/usr/bin/env bash
# PageRank of a graph that no node of this cluster could hold alone: one rank a node, with all of its cores.
#
#     sbatch --export=ALL,GRAPH=/scratch/web.txt,RANKS=/scratch/ranks examples/mpi/slurm.sh
#SBATCH --job-name=equipoise
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --mem=0
#SBATCH --time=01:00:00
set -euo pipefail

: "${GRAPH:?the graph to rank: a file that every node sees, or a folder of parts}"
: "${RANKS:?a new folder for the results}"

# `srun --mpi=list` names what this Slurm speaks: it must be what the program was compiled for. A rank that ends takes
# the others along; a rank that waits for ten minutes ends the job, not the hour above.
srun --mpi="${MPI_TYPE:-pmix}" --cpus-per-task="$SLURM_CPUS_PER_TASK" --kill-on-bad-exit=1 \
    equipoise-mpi pagerank "$GRAPH" --parts "$RANKS" --wait-limit 600
