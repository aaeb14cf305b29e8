# Страницы магазина.

shop-about = Билеты на концерты, спектакли и фестивали — { $name }
skip-to-content = Перейти к содержанию
languages = Язык
about-the-shop = О магазине
imprint = О владельце
for-organizers = Организаторам
terms = Условия
accessibility = Доступность

home-title = Афиша
home-all = Скоро
home-empty = Сейчас в продаже ничего нет
home-empty-hint = Новые события появятся здесь, как только о них объявят организаторы.
next-up = Ближайшее
pages = Страницы
earlier = Раньше
later = Позже
to-events = Все события

organizer = Организатор
agent = Билетный агент
website = Сайт
views = Вид
view-list = Список
view-calendar = Календарь
months = Месяцы
month-empty = В этом месяце событий нет.
partner-empty = Сейчас событий нет
partner-empty-hint = Загляните позже: новые даты появляются сначала здесь.

when = Когда
where = Где
zone = Часовой пояс площадки
add-to-calendar = Добавить в календарь
show-map = Показать на карте
age-label = Возраст
age = С { $count } лет
about-event = О событии
organized-by = Организатор
sold-by = Продаёт
tickets = Билеты
to-tickets = К билетам

price-free = Бесплатно
price-from = от { $name }
price-free-and-from = Бесплатно и от { $name }
price-since = С { $name }:
coming-prices = Цены позже
left-many = Есть в продаже
left-count =
    { $count ->
        [one] Остался { $count } билет
        [few] Осталось { $count } билета
       *[other] Осталось { $count } билетов
    }
numbered-seats = Места с номерами
not-on-sale = Сейчас не продаётся
sale-begins = В продаже с { $name }

state-not-yet = Ещё не в продаже
state-on-sale = В продаже
state-sold-out = Билетов нет
state-closed = Продажа закончена
state-over = Событие уже прошло
state-canceled = Отменено

error-not-found = Здесь нет такой страницы
error-not-found-hint = Возможно, событие уже прошло или адрес изменился. Всё, что продаётся сейчас, — на первой странице.
error-method = Эта страница только показывает
error-method-hint = То, что ей отправили, ничего не изменило.
error-busy = Сейчас очень много желающих
error-busy-hint = Попробуйте ещё раз через минуту. Ничего не потерялось.
error-too-large = Это слишком много за один раз
error-too-large-hint = Отправленное длиннее любой нашей формы, поэтому ничего из него не сохранено.
error-internal = У нас что-то пошло не так
error-internal-hint = Мы это записали. Попробуйте ещё раз через минуту.
