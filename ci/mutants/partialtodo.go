package mutants

var partialReceiverMutants,
	partialCodeMutants, partialAtOnceMutants, partialSettingMutants []partialRow
