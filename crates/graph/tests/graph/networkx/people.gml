graph [
  directed 1
  name "people"
  node [
    id 0
    label "Ann"
  ]
  node [
    id 1
    label "Bob"
  ]
  node [
    id 2
    label "New York &#38; &#34;<&#233;>&#34;"
  ]
  node [
    id 3
    label "Zo&#235;"
    age 3
  ]
  edge [
    source 0
    target 1
    weight 2.5
  ]
  edge [
    source 1
    target 2
    weight 7.0
  ]
]
