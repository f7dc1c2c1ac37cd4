"""Recording a table while it is played: lines and acts into events, durable one by one."""
