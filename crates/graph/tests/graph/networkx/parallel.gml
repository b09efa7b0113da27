graph [
  multigraph 1
  node [
    id 0
    label "1"
  ]
  node [
    id 1
    label "2"
  ]
  node [
    id 2
    label "3"
  ]
  edge [
    source 0
    target 1
    key 0
    weight 1.5
  ]
  edge [
    source 0
    target 1
    key 1
    weight 3
  ]
  edge [
    source 1
    target 2
    key 0
    weight +INF
  ]
]
