package io.penstock.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletContextAttributeListener;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the attributes of a servlet context, and the listeners for attributes (Servlet 6.1, section 4.5). */
final class ContextAttributesTest {
    private final ContextFixture fixture = new ContextFixture();
    private final WebContext context = fixture.context;

    @Test
    void listenersAreNotifiedOfAllChangesOfAttributes() throws Exception {
        context.listeners().declare(new ServletContextAttributeListener() {
            @Override
            public void attributeAdded(ServletContextAttributeEvent event) {
                fixture.diary.add("added " + event.getName() + "=" + event.getValue());
            }

            @Override
            public void attributeReplaced(ServletContextAttributeEvent event) {
                fixture.diary.add("replaced " + event.getName() + "=" + event.getValue());
            }

            @Override
            public void attributeRemoved(ServletContextAttributeEvent event) {
                fixture.diary.add("removed " + event.getName() + "=" + event.getValue());
            }
        });
        context.start();
        context.setAttribute("k", 1);
        context.setAttribute("k", 2);
        context.setAttribute("k", null);
        context.setAttribute("k", 3);
        context.removeAttribute("k");
        context.removeAttribute("k");
        assertEquals(List.of("added k=1", "replaced k=1", "removed k=2", "added k=3", "removed k=3"), fixture.diary);
        assertNull(context.getAttribute("k"));
        context.stop();
    }

    @Test
    void anAttributeNameMustNotBeNull() {
        assertThrows(NullPointerException.class, () -> context.getAttribute(null));
        assertThrows(NullPointerException.class, () -> context.setAttribute(null, 1));
    }
}
