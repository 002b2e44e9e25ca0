package io.penstock.session.json;

import io.penstock.part.AttributeFormat;
import io.penstock.part.ContainerPart;
import java.util.List;

/** Provides the format {@code json} for the key {@code session-format}. */
public final class SessionJson implements ContainerPart {

    /** Creates the object. {@link java.util.ServiceLoader} calls this constructor. */
    public SessionJson() {
        // No preparation is necessary.
    }

    @Override
    public List<AttributeFormat.Provider> attributeFormats() {
        return List.of(new AttributeFormat.Provider() {
            @Override
            public String name() {
                return "json";
            }

            @Override
            public AttributeFormat of(AttributeFormat.Types types) {
                return new JsonFormat(types);
            }
        });
    }
}
