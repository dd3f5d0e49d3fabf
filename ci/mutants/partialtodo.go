package mutants

var partialWritingMutants, partialEventMutants,
	partialEarlierMutants, partialCountMutants, partialTimeMutants, partialAmountMutants, partialReceiverMutants,
	partialCodeMutants, partialAtOnceMutants, partialSettingMutants []partialRow
