/** Path of the SCA pages under the bank's prefix. The token is the only thing that opens them. */
export const pageRoutePath = '/v1/sca/:flowId';

export const pagePath = (flowId: string): string => pageRoutePath.replace(':flowId', flowId);
