package io.penstock.request;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the characters of a body. The writer holds back at most the first half of a surrogate pair. All other characters are written to
 * the response's buffer at once, so that {@code resetBuffer} drops them.
 *
 * <p>Thread: one application thread at a time; the {@code PrintWriter} around this writer holds its lock during each call.
 */
final class EncodingWriter extends Writer {
    private static final int CHUNK = 1024;

    private final BodyOutputStream out;
    private final Charset charset;
    private final @Nullable CharsetEncoder encoder;
    private char highSurrogate;

    EncodingWriter(BodyOutputStream out, Charset charset) {
        this.out = out;
        this.charset = charset;
        this.encoder = isStateless(charset) ? null : newEncoder(charset);
    }

    @Override
    public void write(int c) throws IOException {
        if (c < 0x80 && encoder == null && highSurrogate == 0) {
            out.write(c);
            return;
        }
        write(String.valueOf((char) c), 0, 1);
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        if (length > 0) {
            encode(new String(text, offset, length));
        }
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        if (length > 0) {
            encode(length == text.length() ? text : text.substring(offset, offset + length));
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        finish();
        out.close();
    }

    /**
     * Ends the text. If half a surrogate pair is held back, writes a question mark. Also writes the closing bytes of the encoding, if any.
     */
    void finish() throws IOException {
        if (highSurrogate != 0) {
            highSurrogate = 0;
            out.write('?');
        }
        if (encoder != null) {
            finish(encoder);
        }
    }

    private void encode(String given) throws IOException {
        String text = given;
        if (highSurrogate != 0) {
            text = highSurrogate + text;
            highSurrogate = 0;
        }
        char last = text.charAt(text.length() - 1);
        if (Character.isHighSurrogate(last)) {
            highSurrogate = last;
            text = text.substring(0, text.length() - 1);
        }
        if (encoder == null) {
            byte[] bytes = text.getBytes(charset);
            out.write(bytes, 0, bytes.length);
        } else {
            encode(encoder, text);
        }
    }

    private void encode(CharsetEncoder by, String text) throws IOException {
        CharBuffer source = CharBuffer.wrap(text);
        ByteBuffer target = ByteBuffer.allocate(CHUNK);
        CoderResult result;
        do {
            result = by.encode(source, target, false);
            out.write(target.array(), 0, target.position());
            target.clear();
        } while (result.isOverflow());
    }

    private void finish(CharsetEncoder by) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(CHUNK);
        by.encode(CharBuffer.allocate(0), target, true);
        by.flush(target);
        by.reset();
        if (target.position() > 0) {
            out.write(target.array(), 0, target.position());
        }
    }

    /**
     * Whether the charset is known to have no state between characters. For such a charset {@code String.getBytes} is used, which is faster
     * than a {@code CharsetEncoder}.
     */
    private static boolean isStateless(Charset charset) {
        return charset.equals(StandardCharsets.UTF_8)
                || charset.equals(StandardCharsets.ISO_8859_1)
                || charset.equals(StandardCharsets.US_ASCII);
    }

    private static CharsetEncoder newEncoder(Charset charset) {
        return charset.newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }
}
