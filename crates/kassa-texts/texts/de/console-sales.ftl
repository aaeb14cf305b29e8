# Was verkauft wurde, in Zahlen
console-agents = Agenten
event-sales = Verkauf
sold-in-month = In den letzten 30 Tagen verkauft
sold-nothing = In dieser Zeit wurde nichts verkauft.
sold-nothing-yet = Noch wurde nichts verkauft.
sums-tickets = Karten
sums-full = Von Kunden bezahlt
sums-own = Ihr Anteil
sums-agents = Provision der Agenten
sums-platform = Provision der Plattform
sums-retained = Bei Erstattungen behalten
sums-money = Geld
sums-sold = Verkauft
sums-held = Gehalten
sums-free = Frei
sums-owed = Steht Veranstalter und Plattform zu
sums-earned = Agent verdient
sums-incomplete = Ältere Bestellungen werden noch gezählt: Diese Summen wachsen noch.
as-table = Als Tabelle
day = Tag (UTC)
selling-agent = Agent
sales-by-day = Karten nach Tag
sales-by-set = Nach Kategorie
sales-by-seller = Nach Verkäufer
sets-blocked = { $count ->
    [one] { $count } gesperrt
   *[other] { $count } gesperrt
}
pace = Tempo
pace-words = { $days } Tage vorher sind { $own } Karten verkauft. Ihre anderen Veranstaltungen hatten bis dahin im Mittel { $others } verkauft.
pace-first = 60 Tage vorher
pace-last = Am Tag selbst
pace-own = Diese Veranstaltung
pace-others = Andere, im Mittel
pace-before = Tage vorher
agents-of-yours = Wer Ihre Veranstaltungen verkauft
agents-empty = Noch hat kein Agent etwas von Ihnen verkauft.
agents-own = Was Sie für andere verkauft haben
agents-own-empty = Sie haben noch nichts für andere Veranstalter verkauft.
agents-own-hint = Nach Veranstaltung und Monat: was Ihre Kunden bezahlt haben, was davon Veranstaltern und Plattform zusteht und was Ihnen bleibt.
