package io.penstock.sample.guestbook;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;

/** Shows the guest book and accepts new entries. */
@WebServlet("/guestbook")
public class GuestBookServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Guest guest = Guest.of(request.getSession(false));
        GuestBookPage.show(request, response, book(), guest, GuestBookPage.Form.emptyFor(guest));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name =
                Objects.requireNonNullElse(request.getParameter("name"), "").strip();
        String message =
                Objects.requireNonNullElse(request.getParameter("message"), "").strip();
        Entry entry;
        try {
            entry = new Entry(name, message, Instant.now());
        } catch (IllegalArgumentException refused) {
            response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
            Guest guest = Guest.of(request.getSession(false));
            var form = new GuestBookPage.Form(name, message, refused.getMessage());
            GuestBookPage.show(request, response, book(), guest, form);
            return;
        }
        book().add(entry);
        Guest.of(request.getSession()).signed(entry.name()).rememberIn(request.getSession());
        // The browser fetches the page with GET, so a reload does not add the entry again.
        response.sendRedirect("guestbook", HttpServletResponse.SC_SEE_OTHER);
    }

    private GuestBook book() {
        return (GuestBook) getServletContext().getAttribute(GuestBook.ATTRIBUTE);
    }
}
