graph [
  node [
    id 0
    label "0"
    color "green"
  ]
  node [
    id 1
    label "10"
  ]
  node [
    id 2
    label "2"
  ]
  node [
    id 3
    label "7"
  ]
  edge [
    source 0
    target 1
    weight 3
    km 1.5
  ]
  edge [
    source 1
    target 2
    weight "4000000000"
    km 20.0
  ]
  edge [
    source 2
    target 2
    weight 5
    km 1.E-07
  ]
]
