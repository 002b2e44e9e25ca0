package io.penstock.context;

import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The URL patterns of an application's JSP property groups (Pages JSP.3.3). */
final class PagePatterns {
    private PagePatterns() {}

    static List<String> of(@Nullable JspConfigDescriptor jsp) {
        return jsp == null
                ? List.of()
                : jsp.getJspPropertyGroups().stream()
                        .flatMap(group -> group.getUrlPatterns().stream())
                        .distinct()
                        .toList();
    }
}
