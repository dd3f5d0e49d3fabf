package mutants

var partialEarlierMutants, partialCountMutants, partialTimeMutants, partialAmountMutants, partialReceiverMutants,
	partialCodeMutants, partialAtOnceMutants, partialSettingMutants []partialRow
