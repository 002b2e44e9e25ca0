package io.penstock.tls;

import static io.penstock.tls.RawTlsSecrets.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A ClientHello message of {@link RawTlsClient} (RFC 8446 section 4.1.2). */
final class RawClientHello {
    static final int SERVER_NAME = 0;
    static final int EARLY_DATA = 42;
    private static final int GROUPS = 10;
    private static final int SIGNATURES = 13;
    private static final int VERSIONS = 43;
    private static final int KEY_SHARE = 51;
    private static final int X25519 = 29;
    private static final int SECP256R1 = 23;

    private final byte[] random = new byte[32];
    private final List<byte[]> extensions = new ArrayList<>();
    private byte[] suites;

    private RawClientHello(int... suites) {
        Arrays.fill(random, (byte) 7);
        this.suites = shorts(suites);
        // The certificate of the server needs the group SECP256R1.
        with(GROUPS, sized(shorts(X25519, SECP256R1)));
        with(SIGNATURES, sized(shorts(0x0403, 0x0804, 0x0401)));
    }

    static RawClientHello tls13(byte[] publicKey) {
        return new RawClientHello(0x1301)
                .with(VERSIONS, new byte[] {2, 3, 4})
                .with(KEY_SHARE, sized(join(shorts(X25519), sized(publicKey))));
    }

    static RawClientHello tls12() {
        return new RawClientHello(0xC02B, 0xC02F, 0x00FF); // the last value signals secure renegotiation
    }

    RawClientHello with(int extension, byte... content) {
        extensions.add(join(shorts(extension), sized(content)));
        return this;
    }

    /** Adds the extension server_name with the given host names (RFC 6066 section 3). */
    RawClientHello named(String... names) {
        byte[] list = new byte[0];
        for (String name : names) {
            list = join(list, new byte[1], sized(RawTlsSecrets.latin(name)));
        }
        return with(SERVER_NAME, sized(list));
    }

    byte[] random() {
        return random;
    }

    /** Returns the bytes of the message. */
    byte[] bytes() {
        byte[] all = sized(join(extensions.toArray(byte[][]::new)));
        return message(1, join(new byte[] {3, 3}, random, new byte[1], sized(suites), new byte[] {1, 0}, all));
    }

    /** Returns a handshake message with its head. */
    static byte[] message(int type, byte... content) {
        byte[] head = {(byte) type, (byte) (content.length >> 16), (byte) (content.length >> 8), (byte) content.length};
        return join(head, content);
    }

    private static byte[] shorts(int... numbers) {
        byte[] bytes = new byte[2 * numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            bytes[2 * i] = (byte) (numbers[i] >> 8);
            bytes[2 * i + 1] = (byte) numbers[i];
        }
        return bytes;
    }

    /** Returns the length of the content in two bytes, followed by the content. */
    static byte[] sized(byte... content) {
        return join(shorts(content.length), content);
    }
}
