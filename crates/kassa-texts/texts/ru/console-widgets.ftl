# Магазин на других сайтах и что он говорит о партнёре.

console-widgets = Другие сайты
widgets-hint = Блок для страницы, который продаёт ваши билеты на любом сайте.
widgets-origins = Какие сайты могут показывать магазин в рамке
widgets-empty = Пока нет.
widgets-all = Всё, что вы продаёте
widgets-snippet = Для вашей страницы
widgets-snippet-hint = Вставьте туда, где должны быть билеты. Не нужны ни куки, ни своя программа.
widgets-remove = Отозвать
widgets-remove-hint = Страницы с ним сразу перестанут продавать. Заказы останутся.
new-widget = Новый блок
widgets-event = Что он продаёт
shop-face = Что читают и видят покупатели
face-about = О вас
face-about-hint = Над вашими мероприятиями.
face-email = Эл. почта для покупателей
face-phone = Телефон для покупателей
face-accent = Цвет
face-accent-hint = Кнопок и ссылок, например #1f6f6b. Он станет темнее или светлее, чтобы его можно было прочесть.
face-terms = Ваши условия
face-terms-hint = Покупатель их принимает.
shop-origins = Сайты, которым можно показывать магазин в рамке
shop-origins-hint = Один адрес в строке.

# О чём мероприятие спрашивает покупателей
asking = О чём спросить покупателей
asking-hint = До оплаты. При продаже на месте ничего не спрашивают.
asking-name = Имя
asking-phone = Телефон
asking-optional = Могут указать
asking-required = Должны указать
asking-hidden = Не спрашивать
asking-names-until = Имена в билетах можно менять до
asking-names-until-hint = Если пусто — нельзя.
asking-question = Вопрос { $name }
asking-text = О чём спросить
asking-kind = Ответ
asking-kind-text = Строка текста
asking-kind-choice = Одно из нескольких
asking-kind-yes-no = Да или нет
asking-per = Спросить
asking-per-order = Один раз на заказ
asking-per-ticket = Для каждого билета
asking-options = Варианты, по одному в строке
asking-must = Ответ обязателен
