package io.penstock.tls;

import static io.penstock.tls.RawTlsSecrets.HASH;
import static io.penstock.tls.RawTlsSecrets.derive;
import static io.penstock.tls.RawTlsSecrets.expand;
import static io.penstock.tls.RawTlsSecrets.hash;
import static io.penstock.tls.RawTlsSecrets.hmac;
import static io.penstock.tls.RawTlsSecrets.join;
import static io.penstock.tls.RawTlsSecrets.prf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.http1.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.UnaryOperator;

/**
 * A TLS client for tests. It supports TLS 1.3 and TLS 1.2, and does not use an {@code SSLEngine}. Therefore it can send messages that an
 * {@code SSLEngine} never sends, in correctly encrypted records. The client does not verify the server. It supports only AES-128-GCM and
 * X25519.
 */
final class RawTlsClient {
    private static final byte[] NONE = new byte[0];
    private static final int KEY = 16;
    private static final int SERVER_HELLO = 2;
    private static final int SERVER_KEY_EXCHANGE = 12;
    private static final int SERVER_HELLO_DONE = 14;
    private static final int CLIENT_KEY_EXCHANGE = 16;
    private static final int FINISHED = 20;
    private static final byte[] CHANGE = RawTlsRecords.plain(RawTlsRecords.CHANGE_CIPHER_SPEC, (byte) 1);

    private final RawClient socket;
    private final boolean isTls13;
    private final KeyPair keys = RawTlsSecrets.keys();
    private final RawClientHello hello;
    private final Deque<byte[]> messages = new ArrayDeque<>();
    private byte[] part = NONE; // the received part of an incomplete message
    private byte[] transcript = NONE;
    private byte[] clientSecret = NONE; // used only in TLS 1.3
    private byte[] serverSecret = NONE; // used only in TLS 1.3
    private RawTlsRecords out;
    private RawTlsRecords in;
    private RawTlsRecords.Content last;

    RawTlsClient(RawClient socket, String version) {
        this.socket = socket;
        this.isTls13 = version.equals("TLSv1.3");
        this.hello = isTls13 ? RawClientHello.tls13(RawTlsSecrets.publicKey(keys)) : RawClientHello.tls12();
    }

    RawClientHello hello() {
        return hello;
    }

    boolean isTls13() {
        return isTls13;
    }

    /** Performs the whole handshake. */
    RawTlsClient handshake() throws IOException {
        return handshake(hello.bytes(), UnaryOperator.identity());
    }

    /**
     * Performs the whole handshake.
     *
     * @param clientHello the first message of the handshake
     * @param finish a function that changes the last handshake message of the client
     */
    RawTlsClient handshake(byte[] clientHello, UnaryOperator<byte[]> finish) throws IOException {
        socket.send(RawTlsRecords.plain(RawTlsRecords.HANDSHAKE, clientHello));
        transcript = clientHello;
        return continueHandshake(finish);
    }

    /** Performs the rest of the handshake. The test has already sent the ClientHello. */
    RawTlsClient helloSent() throws IOException {
        transcript = hello.bytes();
        return continueHandshake(UnaryOperator.identity());
    }

    /**
     * Reads the first record of the server, after the test has sent the ClientHello. Returns whether the record is an alert. If it is an
     * alert, {@link #last} returns the alert.
     */
    boolean isRefused() throws IOException {
        if (next().type() == RawTlsRecords.ALERT) {
            return true;
        }
        collect(last);
        return false;
    }

    private RawTlsClient continueHandshake(UnaryOperator<byte[]> finish) throws IOException {
        byte[] serverHello = await(SERVER_HELLO);
        if (isTls13) {
            continueHandshake13(RawTlsSecrets.agree(keys, keyShare(serverHello)), finish);
        } else {
            continueHandshake12(Arrays.copyOfRange(serverHello, 6, 6 + HASH), finish);
        }
        return this;
    }

    private void continueHandshake13(byte[] shared, UnaryOperator<byte[]> finish) throws IOException {
        byte[] early = hmac(new byte[HASH], new byte[HASH]);
        byte[] handshake = hmac(derive(early, "derived", NONE), shared);
        byte[] own = derive(handshake, "c hs traffic", transcript);
        in = records13(derive(handshake, "s hs traffic", transcript));
        await(FINISHED);
        byte[] master = hmac(derive(handshake, "derived", NONE), new byte[HASH]);
        byte[] verify = hmac(expand(own, "finished", NONE, HASH), hash(transcript));
        socket.send(CHANGE);
        socket.send(
                records13(own).seal(RawTlsRecords.HANDSHAKE, finish.apply(RawClientHello.message(FINISHED, verify))));
        clientSecret = derive(master, "c ap traffic", transcript);
        serverSecret = derive(master, "s ap traffic", transcript);
        out = records13(clientSecret);
        in = records13(serverSecret);
    }

    private static RawTlsRecords records13(byte[] secret) {
        return new RawTlsRecords(true, expand(secret, "key", NONE, KEY), expand(secret, "iv", NONE, 12));
    }

    private void continueHandshake12(byte[] serverRandom, UnaryOperator<byte[]> finish) throws IOException {
        // The ServerKeyExchange message consists of its head, the curve, the length of the key, and the key.
        byte[] exchange = await(SERVER_KEY_EXCHANGE);
        byte[] shared = RawTlsSecrets.agree(keys, Arrays.copyOfRange(exchange, 8, 8 + HASH));
        await(SERVER_HELLO_DONE);
        byte[] master = prf(shared, "master secret", join(hello.random(), serverRandom), 48);
        ByteBuffer block = ByteBuffer.wrap(prf(master, "key expansion", join(serverRandom, hello.random()), 40));
        byte[][] all = {new byte[KEY], new byte[KEY], new byte[4], new byte[4]};
        for (byte[] each : all) {
            block.get(each);
        }
        out = new RawTlsRecords(false, all[0], all[2]);
        byte[] key = RawTlsSecrets.publicKey(keys);
        byte[] own = RawClientHello.message(CLIENT_KEY_EXCHANGE, join(new byte[] {(byte) key.length}, key));
        transcript = join(transcript, own);
        socket.send(RawTlsRecords.plain(RawTlsRecords.HANDSHAKE, own)).send(CHANGE);
        byte[] last = RawClientHello.message(FINISHED, prf(master, "client finished", hash(transcript), 12));
        send(RawTlsRecords.HANDSHAKE, finish.apply(last));
        if (next().type() != RawTlsRecords.CHANGE_CIPHER_SPEC) {
            throw new IOException("the server has not sent change_cipher_spec");
        }
        in = new RawTlsRecords(false, all[1], all[3]);
        await(FINISHED);
    }

    /** Returns the server's key from the extension key_share of the ServerHello (RFC 8446 section 4.2.8). */
    private static byte[] keyShare(byte[] serverHello) {
        ByteBuffer rest = ByteBuffer.wrap(serverHello, 4 + 2 + HASH, serverHello.length - 4 - 2 - HASH);
        rest.position(rest.position() + 1 + rest.get(rest.position()) + 2 + 1 + 2);
        while (true) {
            int type = rest.getShort();
            byte[] content = new byte[rest.getShort()];
            rest.get(content);
            if (type == 51) {
                return Arrays.copyOfRange(content, 4, content.length);
            }
        }
    }

    /** Reads handshake messages until a message of the given type arrives. Returns this message. */
    private byte[] await(int type) throws IOException {
        while (true) {
            byte[] message = messages.poll();
            if (message == null) {
                collect(next());
            } else {
                transcript = join(transcript, message);
                if (message[0] == type) {
                    return message;
                }
            }
        }
    }

    private void collect(RawTlsRecords.Content record) throws IOException {
        if (record.type() == RawTlsRecords.CHANGE_CIPHER_SPEC) {
            return;
        }
        if (record.type() != RawTlsRecords.HANDSHAKE) {
            throw new IOException("record of type " + record.type() + " " + Arrays.toString(record.bytes()));
        }
        part = join(part, record.bytes());
        while (part.length >= 4 && part.length >= 4 + (ByteBuffer.wrap(part).getInt() & 0xFFFFFF)) {
            int end = 4 + (ByteBuffer.wrap(part).getInt() & 0xFFFFFF);
            messages.add(Arrays.copyOf(part, end));
            part = Arrays.copyOfRange(part, end, part.length);
        }
    }

    // ---- after the handshake

    RawTlsClient send(byte type, byte... content) throws IOException {
        socket.send(out.seal(type, content));
        return this;
    }

    RawTlsClient send(String text) throws IOException {
        return send(RawTlsRecords.DATA, RawTlsSecrets.latin(text));
    }

    RawTlsRecords out() {
        return out;
    }

    /** Returns a KeyUpdate record, and changes the keys of the client (RFC 8446 section 4.6.3). */
    byte[] update(int wanted) {
        byte[] record = out.seal(RawTlsRecords.HANDSHAKE, RawClientHello.message(24, (byte) wanted));
        clientSecret = expand(clientSecret, "traffic upd", NONE, HASH);
        out = records13(clientSecret);
        return record;
    }

    /** Reads the next record. The record is decrypted if it is encrypted. */
    RawTlsRecords.Content next() throws IOException {
        byte[] head = socket.exactly(5);
        byte[] content = socket.exactly(ByteBuffer.wrap(head).getShort(3));
        boolean isPlain = in == null || (isTls13 && head[0] != RawTlsRecords.DATA);
        last = isPlain ? new RawTlsRecords.Content(head[0], content) : in.open(head, content);
        return last;
    }

    /** The last record that was read. */
    RawTlsRecords.Content last() {
        return last;
    }

    /** Reads the next data record, and returns its content. Handshake records before this record are skipped. */
    String data() throws IOException {
        RawTlsRecords.Content record = next();
        while (record.type() == RawTlsRecords.HANDSHAKE) {
            if (isTls13 && record.bytes()[0] == 24) {
                serverSecret = expand(serverSecret, "traffic upd", NONE, HASH);
                in = records13(serverSecret);
            }
            record = next();
        }
        assertEquals(RawTlsRecords.DATA, record.type(), () -> "the type of the received record");
        return new String(record.bytes(), StandardCharsets.ISO_8859_1);
    }

    /** Reads until the alert of the server. Returns the level and the description of the alert. */
    byte[] alert() throws IOException {
        RawTlsRecords.Content record = next();
        while (record.type() != RawTlsRecords.ALERT) {
            record = next();
        }
        return record.bytes();
    }
}
