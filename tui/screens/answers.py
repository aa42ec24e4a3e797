"""The part of the table screen that answers: the present ask's form, reactions, and what is asked twice."""

from __future__ import annotations

from collections.abc import Callable

from textual import on, work
from textual.containers import VerticalScroll

from engine.asks import Answer, Ask, IllegalAnswer
from tui.data import data
from tui.messages import Decided
from tui.screens.dialogs import ChoiceScreen, ConfirmScreen, HandoverScreen, ReactScreen
from tui.screens.pages import TablePages
from tui.widgets.askform import AskForm
from tui.widgets.picker import Item


class TableAnswers(TablePages):
    """What a seat may do."""

    async def show_form(self, ask: Ask | None) -> None:
        panel = self.query_one("#action", VerticalScroll)
        await panel.query(AskForm).remove()
        if ask is not None:
            form = AskForm(ask, self.session.shown, self.labels, self.strings)
            await panel.mount(form, before="#offers")
        else:
            self.set_focus(None)

    @on(Decided)
    def _on_decided(self, event: Decided) -> None:
        event.stop()
        ask, answer = event.ask, event.answer
        if ask.kind not in data().confirm or answer is None or answer is False:
            self._submit(ask, answer)
            return
        several = answer if isinstance(answer, tuple) else (answer,)
        chosen = ", ".join(self.labels.seat(x) if type(x) is int else self.labels.words.option(ask, x) for x in several)
        title = self.labels.words.ask_title(ask, self.session.shown)
        self._confirm(
            self.strings("confirm.answer", what=title, answer=chosen), lambda: self._submit(ask, answer), self._again
        )

    def _confirm(self, text: str, then: Callable[[], object], otherwise: Callable[[], object]) -> None:
        say = self.strings
        screen = ConfirmScreen(say("confirm.title"), text, say("confirm.yes"), say("confirm.no"))

        def chosen(sure: bool | None) -> None:
            (then if sure else otherwise)()

        self.app.push_screen(screen, chosen)

    def _again(self) -> None:
        for form in self.query(AskForm):
            form.again()

    @work(group="form")
    async def _submit(self, ask: Ask, answer: Answer) -> None:
        try:
            stood = self.session.answer(ask, answer)
        except IllegalAnswer as error:
            self._refused(error.reason)
            return
        if stood:
            await self.show_form(None)
        self.renew()

    def _refused(self, reason: str) -> None:
        self.notify(self.strings("hint.illegal", reason=reason), severity="warning", markup=False)
        self._again()

    def action_react(self) -> None:
        """A reaction, if one may be taken: its own form, and a confirmation."""
        if self.ready and self.session.several and not self.session.over:
            self._ask_who()
        else:
            self._offer()

    def _offer(self) -> None:
        offers = self.session.offers() if self.ready else ()
        if len(offers) == 1 and offers[0].form == "flag":
            self._sure((offers[0], True))
        elif offers:
            self.app.push_screen(ReactScreen(offers, self.session.shown, self.labels, self.strings), self._sure)
        else:
            self._back()

    def _ask_who(self) -> None:
        """Several people share the screen: it must not tell who of them could act, so it asks."""
        say = self.strings
        made = [Item(str(seat), seat, self.labels.seat(seat)) for seat in self.people]

        def chosen(item: Item | None) -> None:
            if item is None or type(item.value) is not int:
                return
            seat = item.value
            if seat == self.session.seat:
                self._offer()
                return
            self.look_from(None, aside=True)  # whoever sat here hands over, and nothing of theirs stays
            self.app.push_screen(HandoverScreen(self.labels.seat(seat), say), lambda _: self._take_aside(seat))

        self.app.push_screen(ChoiceScreen(say("react.who"), made, say), chosen)

    def _take_aside(self, seat: int) -> None:
        self._aside(seat)

    @work(group="aside")
    async def _aside(self, seat: int) -> None:
        """This seat acts out of turn, if it may, and then the table is public again."""
        self.look_from(seat, aside=True)
        await self.session.caught_up()
        if not self.session.offers():
            self.notify(self.strings("react.gone"), severity="warning", markup=False)
        self._offer()

    def _back(self) -> None:
        if self.session.aside:
            self.look_from(None)

    def _sure(self, chosen: tuple[Ask, Answer] | None) -> None:
        if chosen is None or chosen[1] is None or chosen[1] is False:
            self._decline()
            return
        ask, answer = chosen
        name = self.labels.words.ask_name(ask.kind)
        self._confirm(self.strings("confirm.react", what=name), lambda: self._react(ask, answer), self._decline)

    def _decline(self) -> None:
        self._again()
        self._back()

    @work(group="form")
    async def _react(self, ask: Ask, answer: Answer) -> None:
        try:
            taken = self.session.react(ask, answer)
        except IllegalAnswer as error:
            self._refused(error.reason)
            return
        if not taken:
            self.notify(self.strings("react.gone"), severity="warning", markup=False)
        self._back()
        self.renew()
