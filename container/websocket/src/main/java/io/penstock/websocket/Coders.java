package io.penstock.websocket;

import io.penstock.websocket.frame.EncodedMessage;
import jakarta.websocket.DecodeException;
import jakarta.websocket.Decoder;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.EncodeException;
import jakarta.websocket.Encoder;
import jakarta.websocket.EndpointConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The encoders and decoders of an endpoint (WebSocket 2.2 sections 4.1.2 and 4.1.3): their classes, and the types that they convert. Each
 * session has its own instances ({@link Instances}). Thread: any.
 */
final class Coders {
    private static final Logger LOG = LoggerFactory.getLogger(Coders.class);
    private static final List<Class<? extends Encoder>> ENCODER_FORMS =
            List.of(Encoder.Text.class, Encoder.TextStream.class, Encoder.Binary.class, Encoder.BinaryStream.class);
    private static final List<Class<? extends Decoder>> DECODER_FORMS =
            List.of(Decoder.Text.class, Decoder.TextStream.class, Decoder.Binary.class, Decoder.BinaryStream.class);

    /**
     * One interface that a class implements.
     *
     * @param index the index of the class in the list of the configuration
     * @param form for example {@link Encoder.Text}
     * @param type the type of the objects
     */
    private record Form(int index, Class<?> form, Class<?> type) {
        boolean isText() {
            return form == Decoder.Text.class || form == Decoder.TextStream.class;
        }
    }

    private final List<Class<? extends Encoder>> encoderClasses;
    private final List<Class<? extends Decoder>> decoderClasses;
    private final List<Form> encoders;
    private final List<Form> decoders;

    /** @throws DeploymentException if a class cannot be instantiated, or has none of the forms of an encoder or decoder */
    Coders(EndpointConfig config) throws DeploymentException {
        encoderClasses = List.copyOf(config.getEncoders());
        decoderClasses = List.copyOf(config.getDecoders());
        encoders = forms(encoderClasses, ENCODER_FORMS);
        decoders = forms(decoderClasses, DECODER_FORMS);
    }

    private static <T> List<Form> forms(List<Class<? extends T>> classes, List<Class<? extends T>> forms)
            throws DeploymentException {
        List<Form> found = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            Class<?> type = classes.get(i);
            int before = found.size();
            for (Class<?> form : forms) {
                if (form.isAssignableFrom(type)) {
                    Class<?> object = TypeArguments.of(type, form);
                    found.add(new Form(i, form, object == null ? Object.class : object));
                }
            }
            if (found.size() == before || !isInstantiable(type)) {
                throw new DeploymentException(type.getName()
                        + " must be a public class with a public constructor without parameters, and implement an"
                        + " interface inside "
                        + forms.get(0).getEnclosingClass().getName());
            }
        }
        return List.copyOf(found);
    }

    private static boolean isInstantiable(Class<?> type) {
        try {
            return !Modifier.isAbstract(type.getModifiers())
                    && Modifier.isPublic(type.getConstructor().getModifiers());
        } catch (NoSuchMethodException e) {
            LOG.debug("Cannot be instantiated: {}", e.toString());
            return false;
        }
    }

    /** Whether an object whose declared type is {@code type} can be sent. */
    boolean encodes(Class<?> type) {
        Class<?> boxed = Conversion.boxed(type);
        return isSentByItself(boxed)
                || encoders.stream()
                        .anyMatch(form -> form.type.isAssignableFrom(boxed) || boxed.isAssignableFrom(form.type));
    }

    private static boolean isSentByItself(Class<?> type) {
        return type == String.class
                || ByteBuffer.class.isAssignableFrom(type)
                || type == byte[].class
                || Conversion.isPrimitive(type);
    }

    /** Whether a text message can become an object of the type. */
    boolean decodesText(Class<?> type) {
        return type == String.class || type == Reader.class || Conversion.isPrimitive(type) || decodes(type, true);
    }

    /** Whether a binary message can become an object of the type. */
    boolean decodesBinary(Class<?> type) {
        return type == ByteBuffer.class || type == byte[].class || type == InputStream.class || decodes(type, false);
    }

    private boolean decodes(Class<?> type, boolean text) {
        return decoders.stream().anyMatch(form -> form.isText() == text && isFor(form, type));
    }

    private static boolean isFor(Form form, Class<?> type) {
        return Conversion.boxed(type).isAssignableFrom(form.type);
    }

    /** Creates and initialises the instances for a session. */
    Instances instances(EndpointConfig config) throws InstantiationException {
        return new Instances(config);
    }

    /** The encoders and decoders of one session. Thread: {@link #encode}: any; decoding: the thread that delivers messages. */
    final class Instances {
        private final List<Encoder> ofEncoders;
        private final List<Decoder> ofDecoders;

        private Instances(EndpointConfig config) throws InstantiationException {
            List<Encoder> initialised = new ArrayList<>(encoderClasses.size());
            for (Class<? extends Encoder> type : encoderClasses) {
                Encoder encoder = DefaultConfigurator.instance(type);
                encoder.init(config);
                initialised.add(encoder);
            }
            ofEncoders = List.copyOf(initialised);
            List<Decoder> ready = new ArrayList<>(decoderClasses.size());
            for (Class<? extends Decoder> type : decoderClasses) {
                Decoder decoder = DefaultConfigurator.instance(type);
                decoder.init(config);
                ready.add(decoder);
            }
            ofDecoders = List.copyOf(ready);
        }

        /** Takes the encoders and decoders out of service. Their exceptions are logged. */
        void destroy() {
            ofEncoders.forEach(encoder -> destroy(encoder, encoder::destroy));
            ofDecoders.forEach(decoder -> destroy(decoder, decoder::destroy));
        }

        private void destroy(Object coder, Runnable destroy) {
            try {
                destroy.run();
            } catch (RuntimeException e) {
                LOG.warn("{} has failed in destroy", coder.getClass().getName(), e);
            }
        }

        /**
         * Converts an object to a message: by the encoder for its class, or for a superclass; without one, texts, bytes and primitive
         * values become messages themselves.
         */
        EncodedMessage encode(Object object) throws EncodeException, IOException {
            Form form = encoder(object.getClass());
            if (form != null) {
                Encoder encoder = ofEncoders.get(form.index);
                synchronized (encoder) { // an encoder is used by one thread at a time
                    return encode(encoder, form.form, object);
                }
            }
            if (object instanceof ByteBuffer bytes) {
                return EncodedMessage.binary(bytes);
            }
            if (object instanceof byte[] bytes) {
                return EncodedMessage.binary(ByteBuffer.wrap(bytes));
            }
            if (isSentByItself(object.getClass())) {
                return EncodedMessage.text(object.toString());
            }
            throw new EncodeException(
                    object, "There is no encoder for " + object.getClass().getName());
        }

        private @Nullable Form encoder(Class<?> type) {
            Form inherited = null;
            for (Form form : encoders) {
                if (form.type == type) {
                    return form;
                }
                if (inherited == null && form.type.isAssignableFrom(type)) {
                    inherited = form;
                }
            }
            return inherited;
        }

        @SuppressWarnings("unchecked") // the form was found by the object's class
        private EncodedMessage encode(Encoder encoder, Class<?> form, Object object)
                throws EncodeException, IOException {
            if (form == Encoder.Text.class) {
                return EncodedMessage.text(((Encoder.Text<Object>) encoder).encode(object));
            }
            if (form == Encoder.Binary.class) {
                return EncodedMessage.binary(((Encoder.Binary<Object>) encoder).encode(object));
            }
            if (form == Encoder.TextStream.class) {
                StringWriter text = new StringWriter();
                ((Encoder.TextStream<Object>) encoder).encode(object, text);
                return EncodedMessage.text(text.toString());
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ((Encoder.BinaryStream<Object>) encoder).encode(object, bytes);
            return EncodedMessage.binary(ByteBuffer.wrap(bytes.toByteArray()));
        }

        /**
         * Converts a text message: by the first decoder that accepts it; without a decoder, to the types that need none.
         *
         * @throws DecodeException if no decoder accepts the message, or if the decoder fails
         */
        @Nullable
        Object decode(String text, Class<?> type) throws DecodeException, IOException {
            boolean hasDecoder = false;
            for (Form form : decoders) {
                if (form.isText() && isFor(form, type)) {
                    hasDecoder = true;
                    Decoder decoder = ofDecoders.get(form.index);
                    if (form.form == Decoder.TextStream.class) {
                        return ((Decoder.TextStream<?>) decoder).decode(new StringReader(text));
                    }
                    Decoder.Text<?> whole = (Decoder.Text<?>) decoder;
                    if (whole.willDecode(text)) {
                        return whole.decode(text);
                    }
                }
            }
            if (hasDecoder) {
                throw new DecodeException(text, "No decoder for " + type.getName() + " accepts the message");
            }
            return type == Reader.class ? new StringReader(text) : Conversion.parse(text, type);
        }

        /** Converts a binary message, in the same way. */
        @Nullable
        Object decode(ByteBuffer bytes, Class<?> type) throws DecodeException, IOException {
            boolean hasDecoder = false;
            for (Form form : decoders) {
                if (!form.isText() && isFor(form, type)) {
                    hasDecoder = true;
                    Decoder decoder = ofDecoders.get(form.index);
                    if (form.form == Decoder.BinaryStream.class) {
                        return ((Decoder.BinaryStream<?>) decoder).decode(stream(bytes));
                    }
                    Decoder.Binary<?> whole = (Decoder.Binary<?>) decoder;
                    if (whole.willDecode(bytes.duplicate())) {
                        return whole.decode(bytes);
                    }
                }
            }
            if (hasDecoder) {
                throw new DecodeException(bytes, "No decoder for " + type.getName() + " accepts the message");
            }
            return type == byte[].class ? array(bytes) : type == InputStream.class ? stream(bytes) : bytes;
        }

        private InputStream stream(ByteBuffer bytes) {
            return new ByteArrayInputStream(array(bytes));
        }
    }

    /** The bytes of a buffer that belongs to the caller; the buffer's own array if it has no other bytes. */
    static byte[] array(ByteBuffer bytes) {
        if (bytes.hasArray() && bytes.arrayOffset() == 0 && bytes.array().length == bytes.remaining()) {
            return bytes.array();
        }
        byte[] array = new byte[bytes.remaining()];
        bytes.get(array);
        return array;
    }
}
