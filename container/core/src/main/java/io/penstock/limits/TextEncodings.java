package io.penstock.limits;

import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Charsets for applications that set none themselves.
 *
 * @param request of forms and of text in request bodies, or null for the specification's ISO-8859-1
 * @param response of text that servlets write, or null for the specification's ISO-8859-1
 * @param files of all text files; if null, HTML names its own, and other text is UTF-8
 */
public record TextEncodings(
        @Nullable Charset request,
        @Nullable Charset response,
        @Nullable Charset files) {

    static TextEncodings of(Configuration given) {
        return new TextEncodings(
                Check.charset(Key.REQUEST_ENCODING, given.text(Key.REQUEST_ENCODING)),
                Check.charset(Key.RESPONSE_ENCODING, given.text(Key.RESPONSE_ENCODING)),
                Check.charset(Key.FILE_ENCODING, given.text(Key.FILE_ENCODING)));
    }
}
