package mutants

var partialTimeMutants, partialAmountMutants, partialReceiverMutants,
	partialCodeMutants, partialAtOnceMutants, partialSettingMutants []partialRow
