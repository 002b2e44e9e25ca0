package io.penstock.certificates;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The kinds of private keys that a server can use in TLS 1.2 and TLS 1.3. */
enum KeyKind {
    RSA("RSA", "RSA", "SHA256withRSA"),
    RSA_PSS("RSA-PSS", "RSASSA-PSS", "RSASSA-PSS"),
    EC_256("EC P-256", "EC", "SHA256withECDSA"),
    EC_384("EC P-384", "EC", "SHA384withECDSA"),
    EC_521("EC P-521", "EC", "SHA512withECDSA"),
    ED25519("Ed25519", "EdDSA", "Ed25519"),
    ED448("Ed448", "EdDSA", "Ed448");

    /** The minimum length of an RSA key. Clients reject shorter keys, because attackers can break such keys. */
    private static final int MIN_RSA_BITS = 2048;

    private static final String TLS_1_3 = "TLSv1.3";

    private final String words;
    private final String algorithm;
    private final String signature;

    KeyKind(String words, String algorithm, String signature) {
        this.words = words;
        this.algorithm = algorithm;
        this.signature = signature;
    }

    /** The name of this kind of key for messages. */
    String words() {
        return words;
    }

    /** The JDK's name of the key algorithm. The TLS implementation of the JDK uses this name for the key type. */
    String algorithm() {
        return algorithm;
    }

    /** @throws IllegalArgumentException if the key cannot be used for TLS. The message of the exception is the reason */
    static KeyKind of(Key key) {
        if (key instanceof RSAKey rsa) {
            int bits = rsa.getModulus().bitLength();
            if (bits < MIN_RSA_BITS) {
                throw new IllegalArgumentException(
                        "an RSA key of " + bits + " bits is too short; it needs at least " + MIN_RSA_BITS);
            }
            return key.getAlgorithm().equals(RSA_PSS.algorithm) ? RSA_PSS : RSA;
        }
        if (key instanceof ECKey ec) {
            return ofCurve(ec.getParams());
        }
        if (key instanceof EdECKey edwards) {
            return edwards.getParams().getName().equals(ED448.signature) ? ED448 : ED25519;
        }
        throw new IllegalArgumentException(
                "a key for " + key.getAlgorithm() + " cannot be used for TLS; RSA, EC and Ed25519 can");
    }

    private static KeyKind ofCurve(ECParameterSpec curve) {
        if (isCurve("secp256r1", curve)) {
            return EC_256;
        }
        if (isCurve("secp384r1", curve)) {
            return EC_384;
        }
        if (isCurve("secp521r1", curve)) {
            return EC_521;
        }
        throw new IllegalArgumentException("the curve of an EC key must be P-256, P-384 or P-521");
    }

    private static boolean isCurve(String name, ECParameterSpec curve) {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(name));
            ECParameterSpec known = parameters.getParameterSpec(ECParameterSpec.class);
            return known.getCurve().equals(curve.getCurve())
                    && known.getGenerator().equals(curve.getGenerator())
                    && known.getOrder().equals(curve.getOrder());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("this Java does not know the curve " + name, e);
        }
    }

    /** Whether the private key and the public key belong to each other. */
    boolean isPair(PrivateKey key, PublicKey other) throws GeneralSecurityException {
        byte[] text = {1, 2, 3};
        Signature signer = signature(key);
        signer.initSign(key);
        signer.update(text);
        byte[] signed = signer.sign();
        Signature verifier = signature(other);
        verifier.initVerify(other);
        verifier.update(text);
        return verifier.verify(signed);
    }

    private Signature signature(Key key) throws GeneralSecurityException {
        Signature made = Signature.getInstance(signature);
        if (this == RSA_PSS) {
            made.setParameter(parameters(((RSAKey) key).getParams()));
        }
        return made;
    }

    private static AlgorithmParameterSpec parameters(@Nullable AlgorithmParameterSpec ofKey) {
        return ofKey != null ? ofKey : new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);
    }

    /**
     * Whether a client can verify signatures of this kind of key.
     *
     * @param signatures the signature algorithms that the client has sent
     * @param protocol the TLS version of the handshake
     */
    boolean isKnown(Collection<String> signatures, String protocol) {
        // In TLS 1.3 each curve has a fixed hash function, and RSA keys must use PSS.
        boolean v13 = protocol.equals(TLS_1_3);
        return switch (this) {
            case RSA ->
                signatures.stream()
                        .anyMatch(name -> name.equals(RSA_PSS.signature) || (!v13 && name.endsWith("withRSA")));
            case EC_256, EC_384, EC_521 ->
                v13 ? signatures.contains(signature) : signatures.stream().anyMatch(name -> name.endsWith("withECDSA"));
            case RSA_PSS, ED25519, ED448 -> signatures.contains(signature);
        };
    }

    /** Whether a cipher suite of TLS 1.2 works with this kind of key. */
    boolean fits(String suite) {
        return suite.contains(
                switch (this) {
                    case RSA, RSA_PSS -> "_RSA_WITH_";
                    case EC_256, EC_384, EC_521, ED25519, ED448 -> "_ECDSA_WITH_";
                });
    }
}
