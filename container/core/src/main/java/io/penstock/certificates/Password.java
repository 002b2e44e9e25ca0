package io.penstock.certificates;

import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.limits.Tls;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The password of encrypted private keys or of a key store.
 *
 * @param text the password; null if no password is configured
 * @param keys the configuration keys that can set the password, for messages
 */
record Password(@Nullable String text, String keys) {

    /** Returns the password of the private keys and of the key store. */
    static Password ofKeys(Tls tls, FileContents files) throws TlsSetupException {
        Path file = tls.keyPasswordFile();
        String given = file == null ? text(tls.keyPassword()) : firstLine(file, files.of(file));
        return new Password(given, Key.TLS_KEY_PASSWORD_FILE.id() + " or " + Key.TLS_KEY_PASSWORD.id());
    }

    /** Returns the password of the key store with the client authorities. */
    static Password ofTrust(Tls tls) {
        return new Password(text(tls.trustPassword()), Key.TLS_TRUST_PASSWORD.id());
    }

    private static @Nullable String text(String given) {
        return given.equals(Tls.NO_PASSWORD) ? null : given;
    }

    private static String firstLine(Path file, byte[] bytes) throws TlsSetupException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            String line = text.split("\r\n|\r|\n", 2)[0];
            if (line.isEmpty()) {
                throw TlsSetupException.of(file, "its first line is empty; this line must be the password");
            }
            return line;
        } catch (CharacterCodingException e) {
            throw TlsSetupException.of(file, "is not in UTF-8", e);
        }
    }

    /** @throws TlsSetupException if the configuration has no password for this file */
    char[] of(Path file) throws TlsSetupException {
        if (text == null) {
            throw TlsSetupException.of(
                    file, "is encrypted, and there is no password for it (" + keys + ")" + HelpPage.PASSWORDS.more());
        }
        return text.toCharArray();
    }

    TlsSetupException wrong(Path file, @Nullable Throwable cause) {
        return TlsSetupException.of(file, "cannot be decrypted: the password is wrong (" + keys + ")", cause);
    }

    /** The result does not contain the password. */
    @Override
    public String toString() {
        return "Password[" + keys + "]";
    }
}
