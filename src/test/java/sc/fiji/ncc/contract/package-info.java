/**
 * What every algorithm must fulfil, as checks and as cases that break float arithmetic. Start with {@link sc.fiji.ncc.contract.AlgorithmContract}; new cases are
 * added to {@link sc.fiji.ncc.contract.ContractCases}.
 */
package sc.fiji.ncc.contract;
