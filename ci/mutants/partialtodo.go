package mutants

var partialReceiverMutants,
	partialAtOnceMutants, partialSettingMutants []partialRow
