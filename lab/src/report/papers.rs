//! The papers whose figures are redrawn.

/// A paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paper {
    /// Its number in the list at the end of the page.
    pub number: u32,
    /// The short name used in sentences.
    pub short: &'static str,
    pub citation: &'static str,
}

/// A figure of a paper, such as `Figs. 7 and 8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    pub paper: Paper,
    pub name: &'static str,
}

impl Paper {
    pub const fn figure(self, name: &'static str) -> Figure {
        Figure { paper: self, name }
    }
}

pub(crate) const RAVAL: Paper = Paper {
    number: 1,
    short: "Raval et al.",
    citation: "A. Raval, R. Nasre, V. Kumar, Vasudevan R, S. Vadhiyar, K. Pingali: \
        Dynamic Load Balancing Strategies for Graph Applications on GPUs.",
};

pub(crate) const OSAMA: Paper = Paper {
    number: 2,
    short: "Osama et al.",
    citation: "M. Osama, S. D. Porumbescu, J. D. Owens: A Programming Model for GPU Load Balancing. \
        PPoPP 2023.",
};

pub(crate) const VERSTRAATEN: Paper = Paper {
    number: 3,
    short: "Verstraaten et al.",
    citation: "M. Verstraaten, A. L. Varbanescu, C. de Laat: Using Graph Properties to Speed-up \
        GPU-based Graph Traversal: A Model-driven Approach. arXiv 1708.01159, 2017.",
};

pub(crate) const CHE: Paper = Paper {
    number: 4,
    short: "Che et al.",
    citation: "S. Che, G. Rodgers, B. Beckmann, S. Reinhardt: Graph Coloring on the GPU and Some \
        Techniques to Improve Load Imbalance.",
};

pub(crate) const PATHAK: Paper = Paper {
    number: 5,
    short: "Pathak et al.",
    citation: "A. Pathak, K. Raj, K. Chowdhury, R. Patra, S. Porwal, S. Agarwal, S. Poddar: \
        Accelerating large graph algorithms on GPU using CUDA.",
};

/// All papers, by number.
pub(crate) const PAPERS: [Paper; 5] = [RAVAL, OSAMA, VERSTRAATEN, CHE, PATHAK];
