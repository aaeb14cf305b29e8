# What is true of the platform, whoever runs it.

imprint-operator = { $name } is a ticket shop. It is run by the operator of this server, whose name and address stand here once the operator has entered them.
imprint-organizers = Each event is offered by its organizer, who is named on the page of the event.
imprint-software = The shop runs on Kassa, free software under the GNU Affero General Public License.

terms-contract = With a ticket from { $name } you have a contract with the organizer of the event. The shop arranges it, and keeps tickets for you while you pay.
terms-refunds = Whether tickets can be returned, and what is kept of their price, is decided by the organizer of the event.
terms-data = Pages can be read without an account. One cookie remembers the language that you choose, another, until the browser is closed, which orders you have begun, and none anything else. No page loads anything from another server.

accessibility-goal = { $name } is meant to be usable by everybody, and aims at WCAG 2.2, level AA.
accessibility-means = All pages work with a keyboard, with a screen reader, without JavaScript, at 320 pixels’ width, and in light and dark colours. Movement stops where your system asks for it.
accessibility-limits = Descriptions and pictures of events are made by their organizers. Pictures only decorate: what matters is in the text.
accessibility-report = If something stands in your way, tell the operator of this shop, whom the imprint names, or the organizer of the event.
