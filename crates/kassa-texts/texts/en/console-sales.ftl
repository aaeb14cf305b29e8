# What was sold, in figures
console-agents = Agents
event-sales = Sales
sold-in-month = Sold in the last 30 days
sold-nothing = Nothing was sold in this time.
sold-nothing-yet = Nothing was sold yet.
sums-tickets = Tickets
sums-full = Customers paid
sums-own = Your share
sums-agents = Agents’ commission
sums-platform = Platform’s commission
sums-retained = Kept of refunds
sums-money = Money
sums-sold = Sold
sums-held = Held
sums-free = Free
sums-owed = Owed to organizer and platform
sums-earned = Agent earns
sums-incomplete = Older orders are still being counted: these sums will grow.
as-table = As a table
day = Day (UTC)
selling-agent = Agent
sales-by-day = Tickets by day
sales-by-set = By set
sales-by-seller = By seller
sets-blocked = { $count ->
    [one] { $count } blocked
   *[other] { $count } blocked
}
pace = Pace
pace-words = { $days } days before, { $own } tickets are sold. Your other events had sold { $others } on average by then.
pace-first = 60 days before
pace-last = The day itself
pace-own = This event
pace-others = Others, on average
pace-before = Days before
agents-of-yours = Who sells your events
agents-empty = No agent has sold anything of yours yet.
agents-own = What you sold for others
agents-own-empty = You have sold nothing for other organizers yet.
agents-own-hint = By event and month: what your customers paid, what of it belongs to organizers and the platform, and what stays with you.
