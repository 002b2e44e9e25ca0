package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.context.Encodings;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the character encoding for the locale of a response (Servlet 6.1, section 5.6). */
final class LocaleEncodingTest {

    private static String contentType(Encodings encodings, Locale locale) {
        try (App app = new App("/app", settings -> settings.encodings(encodings))) {
            app.servlet("/s", (request, response) -> {
                response.setLocale(locale);
                response.setContentType("text/html");
                response.getWriter().print(response.getContentType());
            });
            app.start();
            return app.get("/app/s").text();
        }
    }

    @Test
    void theEncodingOfAResponseDependsOnTheLanguageOfItsLocale() {
        assertEquals("text/html;charset=Shift_JIS", contentType(Encodings.NONE, Locale.JAPAN));
        assertEquals("text/html;charset=Shift_JIS", contentType(Encodings.NONE, Locale.JAPANESE));
        assertEquals("text/html;charset=UTF-8", contentType(Encodings.NONE, Locale.CHINA));
        assertEquals("text/html;charset=UTF-8", contentType(Encodings.NONE, Locale.forLanguageTag("ru")));
        assertEquals("text/html;charset=ISO-8859-1", contentType(Encodings.NONE, Locale.US));
        assertEquals("text/html;charset=ISO-8859-1", contentType(Encodings.NONE, Locale.GERMANY));
        assertEquals("text/html;charset=ISO-8859-1", contentType(Encodings.NONE, Locale.ROOT));
    }

    @Test
    void encodingsOfTheDescriptorWinOverTheEncodingOfTheLanguage() {
        Encodings declared = new Encodings(null, null, null, Map.of("ja", "euc-jp"));
        assertEquals("text/html;charset=euc-jp", contentType(declared, Locale.JAPAN));
        Encodings byDefault = new Encodings(null, "windows-1252", null, Map.of());
        assertEquals("text/html;charset=windows-1252", contentType(byDefault, Locale.JAPAN));
    }
}
