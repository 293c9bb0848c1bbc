package explore

import "strings"

// compatible tells whether a TPU runs ops of a type, by TensorBoard's list
// (tensorboard/plugins/graph/tf_graph_common/op.ts): what is placed on no TPU runs where it is
// placed, calls of the library's functions are looked at inside.
func compatible(op, device string, library map[string]int32) bool {
	if op == "" || op == "input_arg" || op == "output_arg" {
		return true
	}
	if _, ok := library[op]; ok {
		return true
	}
	if low := strings.ToLower(device); low != "" && (strings.Contains(low, "cpu:") || strings.Contains(low, "gpu:") || !strings.Contains(low, "tpu") || strings.Contains(device, "TPU_SYSTEM")) {
		return true
	}
	return onTPU[op]
}

var onTPU = func() map[string]bool {
	m := map[string]bool{}
	for _, op := range strings.Fields(tpuOps) {
		m[op] = true
	}
	return m
}()

const tpuOps = `
Abort Abs Acos Acosh Add AddN AddV2 AdjustContrastv2 AdjustHue AdjustSaturation All AllToAll Angle Any
ApproximateEqual ArgMax ArgMin Asin Asinh Assert Assign AssignAddVariableOp AssignSubVariableOp
AssignVariableOp Atan Atan2 Atanh AudioSummary AudioSummaryV2 AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad
BatchMatMul BatchMatMulV2 BatchToSpace BatchToSpaceND BesselI0e BesselI1e Betainc BiasAdd BiasAddGrad
BiasAddV1 Bitcast BitwiseAnd BitwiseOr BitwiseXor BroadcastArgs BroadcastGradientArgs BroadcastTo Bucketize
Case Cast Ceil CheckNumerics Cholesky ClipByValue CollectivePermute CollectiveReduceV2 Complex ComplexAbs
Concat ConcatOffset ConcatV2 Conj ConjugateTranspose Const ControlTrigger Conv2D Conv2DBackpropFilter
Conv2DBackpropInput Conv3D Conv3DBackpropFilterV2 Conv3DBackpropInputV2 Cos Cosh Cross CrossReplicaSum Cumprod
Cumsum DataFormatDimMap DataFormatVecPermute DebugNumericSummary DepthToSpace DepthwiseConv2dNative
DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput Dequantize DeviceIndex Diag DiagPart
Digamma Div DivNoNan DynamicStitch Einsum Elu EluGrad Empty EmptyTensorList EnsureShape Enter Equal Erf Erfc
Erfinv Exit Exp ExpandDims Expm1 ExtractImagePatches FFT FFT2D FFT3D FakeParam FakeQuantWithMinMaxArgs
FakeQuantWithMinMaxArgsGradient FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsGradient Fill Floor FloorDiv
FloorMod FusedBatchNorm FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2
FusedBatchNormV3 Gather GatherNd GatherV2 GetItem Greater GreaterEqual HSVToRGB HistogramSummary IFFT IFFT2D
IFFT3D IRFFT IRFFT2D IRFFT3D Identity IdentityN If Igamma IgammaGradA Igammac Imag ImageSummary InTopKV2
InfeedDequeue InfeedDequeueTuple InplaceAdd InplaceUpdate Inv Invert InvertPermutation IsFinite IsInf IsNan
KthOrderStatistic L2Loss LRN LRNGrad LeakyRelu LeakyReluGrad LeftShift Less LessEqual Lgamma LinSpace ListDiff
Log Log1p LogSoftmax LogicalAnd LogicalNot LogicalOr LoopCond LowerBound MakeUnique MatMul MatrixBandPart
MatrixDiag MatrixDiagPart MatrixDiagPartV2 MatrixDiagPartV3 MatrixDiagV2 MatrixDiagV3 MatrixInverse
MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3 MatrixSolve MatrixTriangularSolve Max MaxPool MaxPool3D
MaxPool3DGrad MaxPool3DGradGrad MaxPoolGrad MaxPoolGradGrad MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2 Maximum
Mean Merge MergeSummary MergeV2Checkpoints Min Minimum MirrorPad MirrorPadGrad Mod Mul MulNoNan Multinomial
Ndtri Neg NextAfter NextIteration NoOp NonMaxSuppressionV4 NotEqual OneHot OnesLike OutfeedEnqueue
OutfeedEnqueueTuple Pack Pad PadV2 ParallelDynamicStitch ParameterizedTruncatedNormal PartitionedCall
Placeholder PlaceholderV2 PlaceholderWithDefault Polygamma PopulationCount Pow PreventGradient Prod Qr
QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 RFFT RFFT2D RFFT3D RGBToHSV RandomGammaGrad RandomShuffle
RandomStandardNormal RandomUniform RandomUniformInt Range Rank ReadVariableOp Real RealDiv Reciprocal
ReciprocalGrad Relu Relu6 Relu6Grad ReluGrad Reshape ResizeBilinear ResizeBilinearGrad ResizeNearestNeighbor
ResizeNearestNeighborGrad ResourceApplyAdaMax ResourceApplyAdadelta ResourceApplyAdagrad
ResourceApplyAdagradDA ResourceApplyAdagradV2 ResourceApplyAdam ResourceApplyAddSign
ResourceApplyCenteredRMSProp ResourceApplyFtrl ResourceApplyFtrlV2 ResourceApplyGradientDescent
ResourceApplyKerasMomentum ResourceApplyMomentum ResourceApplyPowerSign ResourceApplyProximalAdagrad
ResourceApplyProximalGradientDescent ResourceApplyRMSProp ResourceGather ResourceScatterAdd ResourceScatterDiv
ResourceScatterMax ResourceScatterMin ResourceScatterMul ResourceScatterNdAdd ResourceScatterNdSub
ResourceScatterNdUpdate ResourceScatterSub ResourceScatterUpdate ResourceStridedSliceAssign RestoreV2 Reverse
ReverseSequence ReverseV2 RightShift Rint RngReadAndSkip RngSkip Roll Round Rsqrt RsqrtGrad SaveV2
ScalarSummary ScatterNd Select SelectV2 SelfAdjointEigV2 Selu SeluGrad Shape ShapeN ShardedFilename Sigmoid
SigmoidGrad Sign Sin Sinh Size Slice Snapshot Softmax SoftmaxCrossEntropyWithLogits Softplus SoftplusGrad
Softsign SoftsignGrad SpaceToBatch SpaceToBatchND SpaceToDepth SparseMatMul
SparseSoftmaxCrossEntropyWithLogits SparseToDense Split SplitV Sqrt SqrtGrad Square SquaredDifference Squeeze
StackCloseV2 StackPopV2 StackPushV2 StackV2 StatefulPartitionedCall StatefulStandardNormalV2
StatefulTruncatedNormal StatefulUniform StatefulUniformFullInt StatefulUniformInt StatelessCase StatelessIf
StatelessMultinomial StatelessRandomGetAlg StatelessRandomGetKeyCounter StatelessRandomGetKeyCounterAlg
StatelessRandomNormal StatelessRandomNormalV2 StatelessRandomUniform StatelessRandomUniformFullInt
StatelessRandomUniformFullIntV2 StatelessRandomUniformInt StatelessRandomUniformIntV2 StatelessRandomUniformV2
StatelessTruncatedNormal StatelessTruncatedNormalV2 StatelessWhile StatsAggregatorSummary StopGradient
StridedSlice StridedSliceGrad StringJoin Sub Sum Svd Switch SymbolicGradient TPUCompilationResult
TPUEmbeddingActivations TPUReplicateMetadata TPUReplicatedInput TPUReplicatedOutput Tan Tanh TanhGrad
TensorArrayCloseV3 TensorArrayConcatV3 TensorArrayGatherV3 TensorArrayGradV3 TensorArrayReadV3
TensorArrayScatterV3 TensorArraySizeV3 TensorArraySplitV3 TensorArrayV3 TensorArrayWriteV3 TensorListConcatV2
TensorListElementShape TensorListFromTensor TensorListGather TensorListGetItem TensorListLength
TensorListPopBack TensorListPushBack TensorListReserve TensorListSetItem TensorListSplit TensorListStack
TensorScatterAdd TensorScatterMax TensorScatterMin TensorScatterSub TensorScatterUpdate
TensorStridedSliceUpdate Tile TopKUnique TopKV2 TopKWithUnique Transpose TridiagonalSolve TruncateDiv
TruncateMod TruncatedNormal Unique Unpack UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd
UnsortedSegmentSum UpperBound VarHandleOp VarIsInitializedOp Variable VariableShape VariableV2 Where While
Xdivy XlaBroadcastHelper XlaConv XlaConvV2 XlaDequantize XlaDot XlaDotV2 XlaDynamicSlice XlaDynamicUpdateSlice
XlaEinsum XlaGather XlaHostCompute XlaIf XlaKeyValueSort XlaPad XlaRecv XlaRecvFromHost XlaReduce
XlaReduceWindow XlaReplicaId XlaScatter XlaSelectAndScatter XlaSelfAdjointEig XlaSend XlaSendToHost
XlaSetBound XlaSetDynamicDimensionSize XlaSharding XlaSort XlaSpmdFullToShardShape XlaSpmdShardToFullShape
XlaSvd XlaVariadicReduce XlaVariadicSort XlaWhile Xlog1py Xlogy ZerosLike Zeta _Arg _ArrayToList
_FusedBatchNormEx _ListToArray _ParallelConcatUpdate _RecvTPUEmbeddingActivations
_RecvTPUEmbeddingDeduplicationData _Retval _SendTPUEmbeddingGradients _TPUCompile _TPUExecute
_UnaryOpsComposition
`
