package mutants

var partialAtOnceMutants, partialSettingMutants []partialRow
