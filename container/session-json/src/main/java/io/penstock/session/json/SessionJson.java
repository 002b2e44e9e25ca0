package io.penstock.session.json;

import io.penstock.part.AttributeFormat;
import io.penstock.part.ContainerPart;
import java.util.List;

/** Brings the format {@code json} for {@code session-format}. */
public final class SessionJson implements ContainerPart {

    /** For the service loader. */
    public SessionJson() {
        // nothing is prepared
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
