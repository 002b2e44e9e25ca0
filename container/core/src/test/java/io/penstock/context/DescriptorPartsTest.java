package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests settings of a deployment descriptor: error pages, welcome files, media types, encodings and the session cookie. */
final class DescriptorPartsTest {

    @Test
    void theErrorPageOfTheNearestSuperclassOfAnExceptionIsUsed() {
        ErrorPages pages = ErrorPages.builder()
                .throwable(Exception.class.getName(), "/exception")
                .throwable(IOException.class.getName(), "/io")
                .build();
        assertEquals("/io", pages.forThrowable(new FileNotFoundException()));
        assertEquals("/exception", pages.forThrowable(new IllegalStateException()));
        assertNull(pages.forThrowable(new AssertionError()));
    }

    @Test
    void theErrorPageOfTheCauseIsUsedIfAServletExceptionHasNoErrorPage() {
        ServletException wrapper = new ServletException(new FileNotFoundException());
        ErrorPages inner = ErrorPages.builder()
                .throwable(IOException.class.getName(), "/io")
                .build();
        assertEquals("/io", inner.forThrowable(wrapper));
        ErrorPages both = ErrorPages.builder()
                .throwable(IOException.class.getName(), "/io")
                .throwable(ServletException.class.getName(), "/servlet")
                .build();
        assertEquals("/servlet", both.forThrowable(wrapper));
    }

    @Test
    void theDefaultErrorPageIsUsedForAStatusWithoutAnErrorPage() {
        ErrorPages pages =
                ErrorPages.builder().status(404, "/missing").fallback("/any").build();
        assertEquals("/missing", pages.forStatus(404));
        assertEquals("/any", pages.forStatus(500));
        assertNull(ErrorPages.NONE.forStatus(404));
    }

    @Test
    void anExistingWelcomeFileIsPreferredToAWelcomeServlet() {
        WelcomeFiles files = new WelcomeFiles(List.of("index.do", "index.html"));
        assertEquals("/a/index.html", files.find("/a/", Set.of("/a/index.html")::contains, path -> true));
        assertEquals("/a/index.do", files.find("/a/", path -> false, path -> true));
        assertNull(files.find("/a/", path -> false, path -> false));
        assertThrows(IllegalArgumentException.class, () -> new WelcomeFiles(List.of("/index.html")));
    }

    @Test
    void mediaTypesInTheDescriptorReplaceTheDefaultMediaTypes() {
        MimeTypes types = MimeTypes.defaults().with(Map.of("FOO", "text/foo", "html", "text/x-html"));
        assertEquals("text/x-html", types.forFile("/a/b.html"));
        assertEquals("text/foo", types.forFile("x.foo"));
        assertEquals("image/png", types.forFile("X.PNG"));
        assertEquals("text/html", MimeTypes.defaults().forFile("a.htm"));
        assertNull(types.forFile("README"));
        assertNull(types.forFile("/v1.html/README"));
        assertNull(types.forFile("x.unknown"));
    }

    @Test
    void theEncodingOfTheLanguageIsUsedIfTheLocaleHasNoEncoding() {
        Encodings encodings = new Encodings(null, null, null, Map.of("ja", "Shift_JIS", "zh_TW", "Big5"));
        assertEquals("Shift_JIS", encodings.forLocale(Locale.JAPAN));
        assertEquals("Big5", encodings.forLocale(Locale.TAIWAN));
        assertNull(encodings.forLocale(Locale.CHINA));
    }

    @Test
    void theDefaultSessionCookieIsHttpOnlyAndHasThePathOfTheContext() {
        SessionCookie cookie = new ContextFixture().context.getSessionCookieConfig();
        assertNull(cookie.getName());
        assertEquals("JSESSIONID", cookie.effectiveName());
        assertNull(cookie.getPath());
        assertEquals("/app", cookie.effectivePath());
        assertTrue(cookie.isHttpOnly());
        assertFalse(cookie.isSecure());
        assertEquals(-1, cookie.getMaxAge());
        SessionCookie ofRoot =
                new ContextFixture(ContextSettings.builder("/").build()).context.getSessionCookieConfig();
        assertEquals("/", ofRoot.effectivePath());
    }

    @Test
    void propertiesOfTheSessionCookieAreAlsoAttributesOfTheCookie() {
        SessionCookie cookie = new ContextFixture().context.getSessionCookieConfig();
        cookie.setMaxAge(7);
        cookie.setDomain("example.org");
        assertEquals("7", cookie.getAttribute("max-age"));
        assertEquals("example.org", cookie.getAttribute("DOMAIN"));
        cookie.setAttribute("max-age", "8");
        cookie.setAttribute("samesite", "Lax");
        assertEquals(8, cookie.getMaxAge());
        assertEquals("Lax", cookie.getAttributes().get("SameSite"));
        cookie.setAttribute("SameSite", null);
        assertNull(cookie.getAttribute("samesite"));
        assertThrows(NumberFormatException.class, () -> cookie.setAttribute("Max-Age", "soon"));
        assertThrows(IllegalArgumentException.class, () -> cookie.setAttribute("a b", "c"));
        assertThrows(IllegalArgumentException.class, () -> cookie.setAttribute(null, "c"));
    }

    @Test
    void theSessionTimeoutInMinutesIsConvertedToSeconds() {
        WebContext context = new ContextFixture().context;
        assertEquals(30, context.getSessionTimeout());
        context.setSessionTimeout(5);
        assertEquals(300, context.sessions().create().getMaxInactiveInterval());
        context.setSessionTimeout(0);
        assertTrue(context.sessions().create().getMaxInactiveInterval() <= 0);
    }
}
