# The console, where partners run their business.

# Around every page
console-menu = Меню
console-overview = Обзор
console-events = Мероприятия
console-shop = Магазин
console-choose = Ваши партнёры
to-console = В кабинет
console-denied-hint = Попросите управляющего этим партнёром пригласить вас или войдите под другой учётной записью.
account = Учётная запись
sign-out = Выйти
back = Назад
save = Сохранить
save-another = Сохранить и добавить ещё
leave = Оставить как есть
edit = Изменить
copy = Копировать
older = Раньше
page-before = Предыдущая страница
page-after = Следующая страница
theirs = Кто-то другой написал:
take-theirs = Взять это
merged = Пока вы писали, это сохранил кто-то другой.
merged-hint = Ничего не потеряно: изменённое только одним из вас здесь объединено. Где изменили оба, стоит ваше, а ниже чужое. Когда всё верно, сохраните ещё раз.

# Accounts
sign-in = Войти
sign-in-hint = Для организаторов и агентов. Покупателям билетов учётная запись не нужна.
register = Зарегистрироваться
register-hint = Через несколько минут ваше первое мероприятие будет в продаже.
register-mailed = Письмо отправлено на { $name }. Ссылка в нём откроет вашу учётную запись.
no-account = Ещё нет учётной записи?
confirm-address = Подтвердить адрес
confirm-address-hint = Введите пароль, с которым вы регистрировались.
forgotten = Забыли пароль?
forgotten-hint = Мы пришлём ссылку, по которой можно задать новый.
forgotten-mailed = Если для { $name } есть учётная запись, ссылка уже в пути. Она действует час.
new-password = Задать новый пароль
new-password-hint = Все ваши сеансы завершатся; затем вы войдёте с новым паролем.
password = Пароль
password-hint = Не менее 8 знаков.
factor-code = Код второго фактора
factor-code-hint = Шесть цифр из приложения или код восстановления. Пароль введите тоже ещё раз.

# Partners
invitations = Приглашения
invitation-of = { $name } приглашает вас в управляющие.
accept = Принять
decline = Отклонить
new-partner = Создать партнёра
new-partner-hint = Партнёр — это ваша организация: она продаёт свои или чужие мероприятия.
partner-name = Название
partner-name-hint = Каким его увидят покупатели.
partner-roles = Чем занимается
role-organizer = Проводит мероприятия
role-organizer-hint = Продаёт собственные мероприятия.
role-agent = Продаёт для других
role-agent-hint = Продаёт мероприятия организаторов, с которыми договорился.

# The overview
overview-empty = Ваше первое мероприятие
overview-empty-hint = Достаточно названия, времени и билетов. Никто не увидит его, пока вы не опубликуете.
shop-closed = Ваш магазин ещё не принимает заказы
shop-closed-hint = Выберите способы оплаты и откройте его.
open-shop = Открыть магазин
figure-events = Мероприятий в продаже
figure-taken = Билетов продано или отложено
figure-left = Осталось
drafts = Черновики

# Events
event = Мероприятие
state = Состояние
taken = Занято
events-all = Все
events-empty = Здесь нет мероприятий
events-newest-offered = Здесь только { $count } самых новых мероприятий.
events-newest-searched = Поиск идёт только по { $count } самым новым мероприятиям.
events-count = { $count ->
    [one] { $count } мероприятие
    [few] { $count } мероприятия
   *[other] { $count } мероприятий
}
event-state-draft = Черновик
event-state-public = В продаже
event-state-finished = Прошло
event-state-canceled = Отменено
new-event = Новое мероприятие
copy-event = Копия мероприятия
copy-hint = Категории с нынешними ценами и промокоды переносятся. Время указывается заново.
edit-event = Изменить мероприятие
form-what = Что
form-more = Возраст и ограничения
event-title = Название
event-desc = Описание
event-desc-hint = Абзацы разделяются пустой строкой.
translations = На других языках
translations-hint = Тот, кто читает на одном из этих языков, видит на страницах, в письмах и на билетах то, что написано здесь. Если поле пустое, и на всех других языках показаны тексты выше.
event-start = Начало
event-end = Конец
event-end-hint = С ним кончается продажа. Если не указать, через три часа после начала.
event-zone-hint = По часам места, где проходит мероприятие.
place = Место
place-none = Нет или новое
place-new = Новое место
place-name = Название места
place-address = Улица и дом
place-city = Город
place-city-hint = Определяет часовой пояс. Если таких несколько: «Париж, US».
age-rating = С какого возраста
age-rating-hint = 0: для всех.
tickets-limit = Билетов в заказе
tickets-limit-hint = Не больше; пусто — 100.
hold-minutes = Минут удержания
hold-minutes-hint = До начала оплаты; пусто — 15.
refund-policy = Возврат билетов
policy-of-partner = Как для всех мероприятий партнёра
policy-own = Своё правило
policy-kept = Удерживается, в процентах
policy-days = За сколько дней до начала
policy-after-start = Также после начала
preview = Предпросмотр
preview-notice = Это предпросмотр: покупатели ещё не видят эту страницу.
see-in-shop = Посмотреть в магазине
steps = До начала продажи
steps-optional = По желанию
step-done = сделано
step-time = Когда проходит
step-sets = Билеты с ценой
step-place = Где проходит
step-picture = Картинка
step-promocode = Промокоды
step-shop = Магазин открыт, и указаны способы оплаты
step-shop-hint = Только тогда люди смогут покупать здесь сами. На входе и через агентов можно продавать и без этого.
publish = Опубликовать
publish-not-yet = Ещё нет времени или билетов.
event-ends = Завершить продажу
stop-sale = Снять с продажи
cancel-event = Отменить мероприятие
cancel-event-what = { $name }: отменяется навсегда.
cancel-event-hint = Продажа прекращается, и по каждому оплаченному заказу создаётся заявка на возврат. Это необратимо.
picture = Картинка
picture-file = Картинка с вашего устройства
picture-hint = PNG, JPEG, WebP или GIF до 5 МБ. Картинка обрезается до 16:9 вокруг середины, сохраняется в размерах магазина и забывает, где она снята.
picture-upload = Загрузить

# Sets
sets = Билеты
sets-empty = Билетов ещё нет: категория — это билеты по одной цене, например партер или студенческие.
new-set = Новая категория
set-name = Категория
set-name-hint = Например: партер, галерея, студенческий.
set-amount = Сколько билетов
set-desc = Что нужно знать покупателю
set-desc-hint = Например: стоячие места, с 18 лет.
price = Цена
price-hint = 0, если бесплатно.
price-from-time = с { $name }:
later-prices = Цены по времени
later-prices-hint = С каждого из этих моментов цена другая. Время: { $name }.
price-number = Цена { $name }
price-begins = С этого времени
price-then = Цена с этого времени
remove-set = Удалить категорию

# Promo codes
promocodes = Промокоды
promocodes-empty = Пока нет.
new-promocode = Новый промокод
promocode-hint = То, что вводят; регистр не важен.
promocode-uses = Использован
promocode-limits = Ограничения
promocode-amount = Сколько заказов
promocode-amount-hint = Пусто — сколько угодно.
promocode-min = Билетов в заказе, не меньше
promocode-until = До какого времени
promocode-sets = Для каких билетов
promocode-sets-hint = Если не выбрано — для всех.
discount-percent = Процент
discount-fixed = Сумма с каждого билета
discount-value = Сколько

# The shop
shop-sale = Как покупают
shop-open = Магазин открыт
shop-open-hint = Каждый может заказать то, что в продаже.
shop-payments = Как платят
pay-transfer-about = Вы подтверждаете поступления. Нужен счёт ниже.
pay-stripe-about = Нужен счёт в Stripe: см. «Деньги».
pay-no-stripe = Покупателям это пока не предлагается: нет счёта в Stripe. Владелец указывает его в разделе
pay-no-account = Покупателям это пока не предлагается: нет счёта ниже.
pay-not-here = Покупателям это не предлагается: владелец сервера этого не настроил.
pay-door-about = Вы подтверждаете полученное.
shop-iban = IBAN
shop-iban-hint = Куда переводят деньги.
shop-holder = Владелец счёта
shop-bic = BIC
shop-days = Дней на перевод
shop-about-partner = О вас
partner-desc = О вас, как прочтут покупатели
partner-www = Сайт
partner-email = Почта
partner-email-hint = Покупатели её не видят.

# What was done
done-canceled = Отменено.
done-confirmed = Ваш адрес подтверждён.
done-copied = Скопировано: проверьте всё.
done-created = Готово.
done-declined = Приглашение отклонено.
done-held-back = Снято с продажи только { $count }: больше свободных не было.
done-left-out = Не скопировано категорий и промокодов: { $count }.
done-password = Новый пароль действует. Войдите с ним.
done-picture = Картинка добавлена.
done-published = Теперь в продаже.
done-saved = Сохранено.
done-signed-out = Вы вышли.
done-stopped = Снято с продажи.

# What is refused
denied-fields = Ниже что-то не заполнено или неверно.
denied-other = Отказано: { $name }
denied-amount-below-sold = Билетов не может быть меньше, чем продано, отложено и заблокировано.
denied-amount-below-uses = Он уже использован больше раз.
denied-not-image = Это не картинка такого вида.
denied-picture-large = Файл слишком большой.
denied-no-picture = Сначала выберите файл.
denied-credential = Почта, пароль или код неверны.
denied-password-wrong = Неверный пароль.
denied-email-required = Не указана почта покупателя.
denied-email-taken = Для этой почты уже есть учётная запись: войдите.
denied-email-unconfirmed = Сначала подтвердите адрес по ссылке из письма.
denied-event-canceled = Отменённое мероприятие таким и останется.
denied-lifetime = Сначала укажите время проведения.
denied-forbidden = Это вам не разрешено.
denied-has-orders = Билеты проданы или отложены.
denied-sent-before = Эта форма уже отправлялась с другим содержимым. Обновите страницу.
denied-partner-foreign = Этим партнёром управляют другие
denied-partner-inactive = Этот партнёр закрыт или заблокирован
denied-partner-factor = Этот партнёр требует второй фактор
denied-changed = Это изменил кто-то другой: посмотрите ещё раз.
denied-promocode-taken = Такой код у мероприятия уже есть.
denied-quota = Ваше хранилище заполнено.
denied-by-invitation = Здесь могут зарегистрироваться только приглашённые.
denied-registration-closed = Регистрация закрыта; обратитесь к оператору.
denied-rule-sold = По этой цене уже продавали, поэтому она действует до своего конца. Измените цену в тот день, с которого должна действовать новая.
denied-rules-overlap = Цены пересекаются во времени.
denied-factor-required = У вашей учётной записи есть второй фактор.
denied-token = Эта ссылка больше не действует. Запросите новую.
denied-too-often = Слишком часто. Подождите немного.

# What is wrong with a field
wrong-field = Это сюда не подходит.
wrong-other = Это не подходит: { $name }.
wrong-required = Это нужно указать.
wrong-password = От 8 до 128 знаков.
wrong-email = Это не адрес почты.
wrong-long = Слишком длинно, или есть недопустимые знаки.
wrong-number = Нужно целое число в допустимых пределах.
wrong-time = Это не время.
wrong-times = Конец должен быть после начала.
wrong-order = Каждое время должно быть позже предыдущего.
wrong-percent = Нужен процент от 0 до 100.
wrong-money = Нужна сумма, например 25,50.
wrong-iban = Это не IBAN.
wrong-city = Такого города нет.
wrong-city-similar = Такого города нет. Похожие: { $name }
