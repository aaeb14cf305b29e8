# Was auf Karten steht, in Kalendern, und in den Mails, die sie bringen.

document-title = Karten: { $event }
document-ticket-of = Karte { $number } von { $count }
document-page-of = Seite { $number } von { $count }
document-ends = Ende
document-category = Kategorie
document-sector = Bereich
document-seat = Platz
document-price = Preis
document-ticket = Karte
document-order = Bestellung
document-code = Code
document-invitation = Einladung
document-notes = Gut zu wissen
document-at-the-entrance = Bitte halten Sie den Barcode am Einlass bereit, auf Papier oder auf einem Bildschirm. Wer ihn zuerst zeigt, wird eingelassen: Geben Sie ihn nicht weiter.
document-organizer = Veranstalter: { $name }
document-vendor = Verkauft von { $name }
document-barcode-picture = QR-Code: { $digits }

returns-never = Karten können nicht zurückgegeben werden.
returns-until-end = Karten können bis zum Ende der Veranstaltung zurückgegeben werden.
returns-until-start = Karten können bis zum Beginn der Veranstaltung zurückgegeben werden.
returns-until-days =
    { $count ->
        [one] Karten können bis einen Tag vor Beginn der Veranstaltung zurückgegeben werden.
       *[other] Karten können bis { $count } Tage vor Beginn der Veranstaltung zurückgegeben werden.
    }
returns-nothing-kept = Von ihrem Preis wird nichts einbehalten.
returns-part-kept = Von ihrem Preis werden { $percent } einbehalten.

mail-tickets-subject = Ihre Karten: { $event }
mail-order = { $number }, Code { $code }
mail-row = Reihe { $name }
mail-seat = Platz { $name }
mail-barcodes = Bitte halten Sie den Barcode jeder Karte am Einlass bereit, auf Papier oder auf einem Bildschirm.
mail-order-page = Ihre Bestellung
mail-order-page-hint = Auf der Seite Ihrer Bestellung finden Sie Ihre Karten wieder. Ihre Adresse ist der Schlüssel dazu: Bitte geben Sie sie nicht weiter.
mail-links-subject = Ihre Bestellungen bei { $name }
mail-links = Guten Tag, jemand hat nach den Karten gefragt, die mit dieser Adresse bestellt wurden. Hier sind sie:
mail-links-hint = Wer eine solche Adresse kennt, hat die Karten: Bitte geben Sie sie nicht weiter. Wenn Sie nicht gefragt haben, brauchen Sie nichts zu tun.
mail-transfer-subject = Bitte bezahlen Sie Ihre Karten: { $event }
mail-door-subject = Ihre Karten sind reserviert: { $event }
mail-transfer = Vielen Dank für Ihre Bestellung. Bitte überweisen Sie den Betrag mit genau diesem Verwendungszweck. Sobald er eingegangen ist, kommen Ihre Karten per Mail.
mail-door = Vielen Dank für Ihre Bestellung. Ihre Karten liegen an der Abendkasse bereit, wo Sie sie bezahlen. Bitte bringen Sie die Bestellnummer mit.
mail-pay-until = Für Sie reserviert bis
mail-payment-page-hint = Auf der Seite Ihrer Bestellung sehen Sie, wie weit sie ist, und können sie anders bezahlen oder stornieren. Ihre Adresse ist der Schlüssel dazu: Bitte geben Sie sie nicht weiter.
