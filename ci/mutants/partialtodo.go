package mutants

var partialAtOnceMutants []partialRow
