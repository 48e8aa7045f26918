/** The operation whose entries say that others were taken back. */
export const undoOperation = "audit.undo";
