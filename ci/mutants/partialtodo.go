package mutants

var partialCountMutants, partialTimeMutants, partialAmountMutants, partialReceiverMutants,
	partialCodeMutants, partialAtOnceMutants, partialSettingMutants []partialRow
