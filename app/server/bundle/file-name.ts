/** `.mcpb`, and `.dxt` as it was before. */
export const isBundleFile = (name: string): boolean => /\.(mcpb|dxt)$/i.test(name)
export const bundleExtensions = '.mcpb,.dxt'
