/** Whether a webhook has taken a message, by the status of its answer; the body says nothing, and no redirect is followed (D20). */
export const isDelivered = (status: number): boolean => status >= 200 && status < 300;
