package io.penstock.jsp.application;

import jakarta.servlet.jsp.tagext.SimpleTagSupport;
import java.io.IOException;

/** The handler of a tag. It writes the body of the tag several times. */
public class RepeatTag extends SimpleTagSupport {
    private int times;

    public void setTimes(int times) {
        this.times = times;
    }

    @Override
    public void doTag() throws jakarta.servlet.jsp.JspException, IOException {
        for (int i = 0; i < times; i++) {
            getJspBody().invoke(null);
        }
    }
}
