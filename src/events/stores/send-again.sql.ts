/**
 * A delivery that an operator has sent again (D17): it is due now. A failed one begins a new round of attempts, one that is
 * pending goes on with its own; one that is delivered, and one of another webhook, is left and not returned.
 * Parameters: webhook, delivery, the channel that wakes the workers.
 * @param columns of the delivery `d` and its event `e`
 */
export const sendAgain = (columns: string): string => `
  with d as (
    update webhook_deliveries
       set status = 'pending', by_hand = true, next_attempt_at = date_trunc('milliseconds', clock_timestamp()),
           round_attempts = case status when 'failed' then 0 else round_attempts end,
           round_began_at = case status when 'failed' then null else round_began_at end
     where webhook_id = (select id from webhooks where id = $1) and id = $2 and status <> 'delivered'
    returning *)
  select ${columns}, pg_notify($3, '') from d join events e on e.id = d.event_id`;
