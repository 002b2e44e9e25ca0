package io.penstock.limits;

import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * Charsets for applications that do not set one themselves.
 *
 * @param request the charset of forms and of text in request bodies; null for ISO-8859-1, as the specification requires
 * @param response the charset of text that servlets write; null for ISO-8859-1, as the specification requires
 * @param files the charset of all text files; if null, HTML files declare their own charset, and other text files are UTF-8
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
