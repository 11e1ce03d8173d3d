"""Build what students get: notebooks, published sheets and the bundle, from lesson sources and exercises."""
