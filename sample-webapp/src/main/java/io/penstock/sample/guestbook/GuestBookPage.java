package io.penstock.sample.guestbook;

import io.penstock.sample.page.Html;
import io.penstock.sample.page.Page;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Creates the markup of the guest book's page. */
final class GuestBookPage {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private GuestBookPage() {}

    /**
     * The content of the form.
     *
     * @param problem the reason why the content was not accepted; empty if there is none
     */
    record Form(String name, String message, String problem) {
        static Form emptyFor(Guest guest) {
            return new Form(guest.name(), "", "");
        }
    }

    static void show(HttpServletRequest request, HttpServletResponse response, GuestBook book, Guest guest, Form form)
            throws IOException {
        Page.of(request, "guestbook", "Guest book")
                .add("""
                        <h1>Guest book</h1>
                        <p class="lead">Write something. The entries are stored in the application. Your name and the
                        number of your entries are stored in your session.</p>
                        """)
                .add("%s", welcome(guest))
                .add("%s", form(form))
                .add("%s", entries(book.entries()))
                .shows(explanation(), "guestbook/GuestBookServlet.java")
                .send(response);
    }

    private static Html welcome(Guest guest) {
        if (!guest.isKnown()) {
            return Html.NOTHING;
        }
        return Html.of("""
                <form method="post" action="forget" class="panel row" id="welcome">
                <p>Thank you, <strong>%s</strong>. You have signed %s in this session.</p>
                <button class="quiet">Forget me</button>
                </form>
                """, guest.name(), guest.entries() == 1 ? "once" : guest.entries() + " times");
    }

    private static Html form(Form form) {
        return Html.of(
                """
                <form method="post" action="guestbook" class="panel">
                %s
                <label>Name <input name="name" value="%s" maxlength="%s" required autocomplete="name"></label>
                <label>Message <textarea name="message" rows="3" maxlength="%s" required>%s</textarea></label>
                <button>Sign the book</button>
                </form>
                """,
                form.problem().isEmpty() ? "" : Html.of("<p class=\"problem\" role=\"alert\">%s</p>", form.problem()),
                form.name(),
                Entry.LONGEST_NAME,
                Entry.LONGEST_MESSAGE,
                form.message());
    }

    private static Html entries(List<Entry> entries) {
        if (entries.isEmpty()) {
            return new Html("<p class=\"empty\">The book is still empty. Be the first.</p>");
        }
        Html items = entries.stream()
                .map(entry -> Html.of("""
                        <li><p>%s</p>
                        <footer><strong>%s</strong> <time datetime="%s">%s</time></footer></li>
                        """, entry.message(), entry.name(), entry.at(), TIME.format(entry.at())))
                .collect(Html.joining());
        return Html.of("<ol class=\"entries\" id=\"entries\" aria-label=\"Entries, newest first\">%s</ol>", items);
    }

    private static Html explanation() {
        return new Html("""
                <p><code>getSession</code> gives each browser a session. A cookie identifies it, and scripts cannot read
                this cookie. <code>web.xml</code> sets the session’s lifetime and the cookie’s <code>SameSite</code>
                attribute. The book itself is an attribute of the <code>ServletContext</code>. After a POST the servlet
                answers <code>sendRedirect(…, 303)</code>, new in Servlet 6.1, so that a reload does not sign twice.</p>
                """);
    }
}
